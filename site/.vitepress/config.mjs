// The site is README.md and docs/ as they are; what is here only says how they look. `npm run docs` builds it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sideBar } from '../side-bar.mjs'
import { slug } from '../slug.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { description, homepage, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const cache = join(root, 'node_modules', '.cache', 'intab', 'site')
/** Built by `npm run docs` before the pages. A file, since the router of the site knows nothing of it. */
const board = { link: '/board/index.html', target: '_self' }

/** README.md is the first page; links to it in the Markdown name the file. */
const linkToFirstPage = (md) => {
  const open = md.renderer.rules.link_open
  md.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const token = tokens[index]
    const href = token.attrGet('href') ?? ''
    if (!/^[a-z]+:/i.test(href)) token.attrSet('href', href.replace(/(^|\/)README\.md(?=#|$)/, '$1index.md'))
    return open(tokens, index, options, env, self)
  }
}

/** By default Shiki leaves a line without colours after 500 ms, which the first one can take on a busy machine. */
const unhurried = {
  preprocess: (_code, options) => {
    options.tokenizeTimeLimit = 0
  }
}

export default {
  title: 'intab',
  description,
  lang: 'en',
  srcDir: root,
  srcExclude: ['AGENTS.md', 'bench/**', 'dist*/**', 'examples/**', 'site/**', 'src/**', 'test/**', 'test-results/**'],
  rewrites: { 'README.md': 'index.md', 'docs/README.md': 'docs/index.md' },
  outDir: join(root, 'dist-site'),
  cacheDir: join(cache, 'cache'),
  head: [['meta', { name: 'color-scheme', content: 'light dark' }]],
  // VitePress puts the base before its own links, not before those of a head: https://vitepress.dev/reference/site-config#head
  transformHead: ({ siteData: { base } }) => [
    ['link', { rel: 'icon', href: `${base}board/favicon.svg`, type: 'image/svg+xml' }]
  ],
  markdown: { anchor: { slugify: slug }, config: linkToFirstPage, codeTransformers: [unhurried] },
  vite: {
    configFile: false,
    publicDir: join(cache, 'public'),
    // The pages of the repository, such as the board's, are no pages of this site.
    optimizeDeps: { entries: [] }
  },
  themeConfig: {
    logo: '/board/favicon.svg',
    nav: [
      { text: 'Documentation', link: '/docs/', activeMatch: '^/docs/' },
      { text: 'Live demo', ...board },
      { text: version, link: '/CHANGELOG.md' }
    ],
    sidebar: sideBar(root),
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: homepage, ariaLabel: 'Repository' }],
    editLink: { pattern: `${homepage}/edit/main/:path`, text: 'Edit this page' }
  }
}
