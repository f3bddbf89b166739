import DefaultTheme from 'vitepress/theme'
import { useData, withBase } from 'vitepress'
import { h } from 'vue'
import './style.css'

/** The page that explains the board begins with the board. */
const demo = () => {
  const { page } = useData()
  if (page.value.relativePath !== 'docs/board.md') return undefined
  const src = withBase('/board/index.html')
  return h('div', { class: 'live-demo' }, [
    h('iframe', { src, title: 'The board, running in this page' }),
    h('a', { href: src, target: '_self' }, 'Open the board in a tab of its own')
  ])
}

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(demo) })
}
