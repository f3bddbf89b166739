/**
 * The anchor of a heading, as GitHub makes it, so that a link works on both sites.
 * @param {string} heading without its markup
 */
export const slug = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')
