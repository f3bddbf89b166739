// The side bar of the site: docs/README.md has its groups and their order, and the folder has the last word.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * @typedef {{ text: string, link: string }} Entry
 * @typedef {{ text: string, items: Entry[] }} Group
 */

/** The first heading of a page. */
const titleOf = (/** @type {string} */ page) => /^# (.+)$/m.exec(readFileSync(page, 'utf8'))?.[1] ?? page

/**
 * The lists of links in docs/README.md, a group for each heading. A page that it does not name comes last, under "More".
 * @param {string} root of the repository
 * @returns {Group[]}
 */
export function sideBar(root) {
  const text = readFileSync(join(root, 'docs', 'README.md'), 'utf8')
  /** @type {Group[]} */
  const groups = []
  for (const [, heading, label, link] of text.matchAll(/^(?:## (.+)|- \[(.+?)\]\(([^)#]+\.md)\).*)$/gm)) {
    if (heading) groups.push({ text: heading, items: [] })
    else if (label && link)
      groups.at(-1)?.items.push({ text: label, link: posix.join('/docs', link).replace(/README\.md$/, '') })
  }
  const named = new Set(groups.flatMap(({ items }) => items.map(({ link }) => link)))
  const more = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && name !== 'README.md' && !named.has(`/docs/${name}`))
    .map((name) => ({ text: titleOf(join(root, 'docs', name)), link: `/docs/${name}` }))
  return more.length > 0 ? [...groups, { text: 'More', items: more }] : groups
}
