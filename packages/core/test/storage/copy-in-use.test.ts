/** The command of docs/storage.md that copies a home which is in use: no update lies between two of the copied files. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { startChild } from './support/child.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const writer = bundledProgram(new URL('./support/update-process.ts', import.meta.url))
const page = readFileSync(join(import.meta.dirname, '../../../../docs/storage.md'), 'utf8')
const COMMAND = 'flock ~/.hermes/.hermes/log cp -a ~/.hermes copy'

const textsOf = async (home: string, paths: readonly string[]): Promise<readonly string[]> => {
  const storage = fileSystemBackend(home)
  const cut = await storage.read(paths)
  if (!cut.ok) throw cut.error
  await storage.close()
  return paths.map((path) => new TextDecoder().decode(cut.value.document(path)?.bytes))
}

it.runIf(spawnSync('flock', ['--version']).status === 0)('copies one state of a home that a process writes to', async () => {
  expect(page).toContain(`\`\`\`sh\n${COMMAND}\n\`\`\``)
  const user = temporaryFolder()
  const home = join(user, '.hermes')
  const child = startChild(process.execPath, [writer, JSON.stringify({ home, writer: 'w', updates: 400 })])
  expect(await child.line()).toBe('ready')
  child.say('go')
  for (let copies = 0; copies < 5; copies++) {
    await child.line()
    const copied = spawnSync('sh', ['-c', `rm -rf copy && ${COMMAND}`], {
      cwd: user,
      env: { ...process.env, HOME: user },
      encoding: 'utf8',
    })
    expect([copied.status, copied.stderr]).toEqual([0, ''])
    const [list = '', log = '', memory = ''] = await textsOf(join(user, 'copy'), ['list', 'log/day', 'memories/MEMORY.md'])
    expect(list).not.toBe('')
    expect(log).toBe(list)
    expect(memory.split('\n§\n').toSorted()).toEqual(list.trimEnd().split('\n').toSorted())
  }
  child.process.kill('SIGKILL')
  await child.ended
})
