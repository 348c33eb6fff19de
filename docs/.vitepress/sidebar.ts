/** What the site shows at its side, in the order in which it is read. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme } from 'vitepress'

const DOCS = fileURLToPath(new URL('..', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

type Item = DefaultTheme.SidebarItem

/** Only pages that exist. */
const pages = (named: Readonly<Record<string, string>>): Item[] =>
  Object.entries(named)
    .filter(([link]) => /^\/(?:packages|examples|changelog)\b/.test(link) || existsSync(`${DOCS}${link}.md`))
    .map(([link, text]) => ({ link, text }))

/** Each package or example that has a page, by the heading of its README. */
const readmes = (folder: 'packages' | 'examples'): Item[] =>
  globSync(`${folder}/*/README.md`, { cwd: ROOT, exclude: ['packages/ui/**'] })
    .toSorted()
    .map((file) => {
      const [, text = ''] = /^# (.+)$/m.exec(readFileSync(`${ROOT}${file}`, 'utf8')) ?? []
      return { text, link: `/${file.replaceAll('\\', '/').replace('/README.md', '')}` }
    })

const reference = (): Item[] =>
  globSync('reference/@hermes/**/*.md', { cwd: DOCS })
    .map((file) => file.replaceAll('\\', '/').replace(/^reference\/(.*)\.md$/, '$1'))
    .toSorted()
    .map((entry) => ({ text: entry, link: `/reference/${entry.replace('@hermes/', '')}` }))

export const sidebar = (): Item[] => [
  {
    text: 'Start',
    items: pages({
      '/start-ai-sdk': 'Five minutes: AI SDK',
      '/start-langchain': 'Five minutes: LangChain',
      '/concepts': 'Concepts',
      '/trust': 'Trust',
      '/skills': 'Skills and the curator',
      '/learning': 'Learning on request',
      '/forgetting': 'Forgetting and erasing',
      '/journal': 'The journal',
      '/home': 'The home',
      '/storage': 'Storage',
      '/glossary': 'Glossary',
      '/compare': 'Hermes or mem0, Letta, Mastra …?',
      '/troubleshooting': 'Why did it not remember?',
    }),
  },
  {
    text: 'Build',
    items: pages({
      '/hosts': 'Which frameworks',
      '/coding-agents': 'Coding agents',
      '/servers': 'A server with many users',
      '/nextjs': 'Next.js and useChat',
      '/langchain': 'LangChain in detail',
      '/recipes': 'Recipes',
      '/testing': 'Testing your app',
      '/poisoning': 'Testing a memory for poisoning',
      '/cost': 'What learning costs',
      '/configuration': 'Configuration',
      '/packages/cli': 'The hermes command',
    }),
  },
  {
    text: 'Run',
    items: pages({
      '/production': 'Production on PostgreSQL',
      '/worker': 'A worker for the reviews',
      '/http': 'Memory over HTTP',
      '/inspector': 'The inspector',
      '/security': 'Security',
      '/privacy': 'Privacy and backups',
      '/windows': 'Windows',
      '/versions': 'Versions',
      '/changelog': 'Changelog',
    }),
  },
  {
    text: 'Figures',
    items: pages({
      '/benchmarks': 'Benchmarks',
      '/measuring': 'Measuring how well it learns',
      '/promises': 'Promises and their tests',
    }),
  },
  {
    text: 'Extend',
    items: pages({
      '/write-your-own': 'Back end, adapter or provider',
    }),
  },
  {
    text: 'Packages and examples',
    collapsed: true,
    items: [...readmes('packages'), ...readmes('examples')],
  },
  { text: 'Reference', collapsed: true, items: reference() },
  { text: 'Background', collapsed: true, items: [{ text: 'Decisions', link: '/decisions/' }] },
]
