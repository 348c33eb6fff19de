/** Runs of Vitest with the reporter of this repository, in projects of their own. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')

/** A folder with the given test files, which the reporter reports on. `budget`: the reporter's argument, as source text. */
export const newProject = async (files: Readonly<Record<string, string>>, budget = ''): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-reporter-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const reporter = JSON.stringify(join(ROOT, 'scripts/plain-summary-reporter.ts'))
  const setup = JSON.stringify(join(ROOT, 'scripts/support/record-processor-time.ts'))
  const config = `import { plainSummaryReporter } from ${reporter}
export default { test: { setupFiles: [${setup}], reporters: ['default', plainSummaryReporter(${budget})] } }
`
  await writeFile(join(folder, 'vitest.config.ts'), config)
  for (const [name, body] of Object.entries(files)) {
    await writeFile(join(folder, name), `import { beforeAll, describe, expect, it } from 'vitest'\n${body}\n`)
  }
  return folder
}

/**
 * Runs Vitest with the reporter over the given test files; returns its exit code, the last line of its output, and the line about skipped
 * tests before it.
 */
export const runVitest = async (
  files: Readonly<Record<string, string>>,
): Promise<{ readonly exitCode: number; readonly lastLine: string; readonly skipped?: string }> => {
  const folder = await newProject(files)
  return new Promise((resolve) => {
    // Merges standard error into standard output, as on a terminal: nothing may follow the line there either.
    const command = `"${process.execPath}" "${VITEST}" run 2>&1`
    execFile('sh', ['-c', command], { cwd: folder }, (error, stdout) => {
      const [before = '', lastLine = ''] = stdout.trimEnd().split('\n').slice(-2)
      const skipped = /^\d+ skipped$/.test(before) ? { skipped: before } : {}
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, lastLine, ...skipped })
    })
  })
}
