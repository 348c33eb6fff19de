/**
 * Replaces the tags of the actions in the workflows by the hashes that they have now: whoever gains an account can move a tag, and the action then runs with what
 * our workflows may do. `pnpm exec node scripts/release/pin-actions.ts` asks GitHub, writes `@<hash> # <tag>`, and needs git. Renovate keeps them up to date.
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const USE = /^(\s*(?:- )?uses: )([\w.-]+\/[\w.-]+)((?:\/[\w./-]+)?)@(\S+)[^\n]*$/gm
const HASH = /^[\da-f]{40}$/

const workflowsOf = (root: string): readonly string[] => globSync('.github/workflows/*.yml', { cwd: root }).map((file) => join(root, file))

/** `.github/workflows/ci.yml: actions/checkout@v5`, for each action that is not named by a hash. */
export const unpinnedIn = (root: string): readonly string[] =>
  workflowsOf(root).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(USE)].flatMap(([, , action = '', path = '', version = '']) =>
      HASH.test(version) ? [] : [`${file.slice(root.length + 1)}: ${action}${path}@${version}`],
    ),
  )

/** The commit of a tag or branch. Throws if there is none. `from`: where the repositories are. */
const hashOf = (from: string, action: string, version: string): string => {
  const refs = [`refs/tags/${version}`, `refs/tags/${version}^{}`, `refs/heads/${version}`]
  const lines = execFileSync('git', ['ls-remote', `${from}/${action}`, ...refs], { encoding: 'utf8' })
    .trim()
    .split('\n')
  const hashes = new Map(lines.map((line) => [line.split('\t')[1], line.split('\t')[0]]))
  // A signed tag is an object of its own, and the commit is what it points to.
  const hash = hashes.get(`refs/tags/${version}^{}`) ?? hashes.get(`refs/tags/${version}`) ?? hashes.get(`refs/heads/${version}`)
  if (hash === undefined) throw new Error(`${from}/${action} has neither a tag nor a branch '${version}'.`)
  return hash
}

/** Asks for all hashes before it writes a file. */
export const pinActions = (root: string, from = 'https://github.com'): void => {
  const texts = workflowsOf(root).map((file) => ({
    file,
    text: readFileSync(file, 'utf8').replace(USE, (line, before: string, action: string, path: string, version: string) =>
      HASH.test(version) ? line : `${before}${action}${path}@${hashOf(from, action, version)} # ${version}`,
    ),
  }))
  for (const { file, text } of texts) writeFileSync(file, text)
}

if (import.meta.main) pinActions(join(import.meta.dirname, '../..'))
