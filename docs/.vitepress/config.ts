/** The site: the pages of `docs/`, the READMEs of packages and examples, and the reference that `reference.ts` writes. */
import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'vitepress'
import { withNextVersion } from './changelog.ts'
import { writeForAgents } from './llms.ts'
import { anchorOf, NO_PAGES, pageOf } from './pages.ts'
import { relink } from './relink.ts'
import { sidebar } from './sidebar.ts'

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g fill="none" stroke="%230f766e" stroke-width="3.5" stroke-linecap="round"><path d="M16 4a12 12 0 1 1-10.4 6"/><path d="M5 4v6.5h6.5"/></g></svg>`

type Plugin = Extract<NonNullable<NonNullable<UserConfig['vite']>['plugins']>[number], { name: string }>

/** Pages outside docs/ have no packages beside them. */
const vueForAllPages: Plugin = {
  name: 'vue-for-all-pages',
  enforce: 'pre',
  resolveId(id) {
    return /^vue(\/|$)/.test(id) ? this.resolve(id, fileURLToPath(import.meta.url), { skipSelf: true }) : null
  },
}

const nextVersion: Plugin = {
  name: 'next-version',
  enforce: 'pre',
  transform: (text, id) => (id.endsWith('/CHANGELOG.md') ? withNextVersion(text) : null),
}

/** What defines a word comes before what explains it, and that before what lists names with it. */
const weightOf = (id: string): number =>
  /^\/glossary/.test(id) ? 3 : /^\/(?:reference|decisions)\//.test(id) ? 0.2 : /^\/(?:packages|examples)\//.test(id) ? 0.6 : 1

// biome-ignore lint/style/noDefaultExport: the generator asks for one.
export default defineConfig({
  title: 'Hermes for TypeScript',
  description: 'A closed learning loop for agents: what an agent learns in one session is available in the next.',
  lang: 'en',
  base: process.env['DOCS_BASE'] ?? '/',
  cleanUrls: true,
  // READMEs are pages too, and they are outside docs/.
  srcDir: '..',
  srcExclude: [...NO_PAGES],
  rewrites: (file) => pageOf(file) ?? file,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${ICON}` }]],
  lastUpdated: false,
  buildEnd: writeForAgents,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    anchor: { slugify: anchorOf },
    config: relink,
  },
  // A page of the reference is long.
  vite: { plugins: [vueForAllPages, nextVersion], build: { chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    siteTitle: 'Hermes for TypeScript',
    nav: [
      { text: 'Start', link: '/start-ai-sdk' },
      { text: 'Concepts', link: '/concepts' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'Reference', link: '/reference/' },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: { boostDocument: weightOf },
        },
      },
    },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
})
