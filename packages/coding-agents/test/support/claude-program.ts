/** The real Claude Code from npm. It is far too large for a dependency (400 MB), so it is installed once into a folder of the cache. */
import { execFile } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What the tests run, and the table of the docs names. */
const CLAUDE_VERSION = '2.1.332'

const CACHE = join(import.meta.dirname, '../../../../node_modules/.cache/hosts')

const nativePackage = (): string => `@anthropic-ai/claude-code-${process.platform}-${process.arch}`

/** The path of the program. Rejects if there is no registry, or no program for this machine. */
export const claudeProgram = async (): Promise<string> => {
  const folder = join(CACHE, `claude-code-${CLAUDE_VERSION}`)
  const program = join(folder, 'node_modules', nativePackage(), process.platform === 'win32' ? 'claude.exe' : 'claude')
  const isThere = await access(program).then(
    () => true,
    () => false,
  )
  if (isThere) return program
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${nativePackage()}@${CLAUDE_VERSION}`], {
    cwd: folder,
    shell: process.platform === 'win32',
  })
  return program
}
