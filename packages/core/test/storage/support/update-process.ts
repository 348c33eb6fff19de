/**
 * Makes updates of four documents until it is done or killed, each with a name of its own: an entry of MEMORY.md, a list, a small document of its own and a
 * line of a log; every fifth also moves a folder. Prints each name once it is acknowledged.
 */
import { writeSync } from 'node:fs'
import { FileBackend } from '../../../src/storage/files/file-backend.ts'
import type { Cut } from '../../../src/storage/storage-backend.ts'

interface Task {
  readonly home: string
  readonly writer: string
  readonly updates: number
  /** The step at which the process kills itself; undefined: never. */
  readonly killAtStep?: number
}

const task = JSON.parse(process.argv[2] ?? '') as Task
const { home, writer, updates, killAtStep } = task
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const textIn = (cut: Cut, path: string): string => new TextDecoder().decode(cut.document(path)?.bytes)

let steps = 0
const storage = new FileBackend(home, {
  atStep: () => {
    if (++steps === killAtStep) process.kill(process.pid, 'SIGKILL')
  },
})

const countOf = (text: string): Record<string, { readonly use_count: number }> => (text === '' ? {} : JSON.parse(text))

const update = async (name: string, number: number): Promise<void> => {
  const folder = `skills/${name}`
  const paths = ['memories/MEMORY.md', 'skills/.usage.json', 'list', 'log/day', `notes/${name}`, `${folder}/SKILL.md`]
  const result = await storage.update(paths, (cut) => {
    const memory = textIn(cut, 'memories/MEMORY.md')
    const usage = countOf(textIn(cut, 'skills/.usage.json'))
    return {
      put: {
        'memories/MEMORY.md': bytes(memory === '' ? name : `${memory}\n§\n${name}`),
        'skills/.usage.json': bytes(JSON.stringify({ ...usage, ts: { use_count: (usage['ts']?.use_count ?? 0) + 1 } })),
        list: bytes(`${textIn(cut, 'list')}${name}\n`),
        [`notes/${name}`]: bytes(name),
        [`${folder}/SKILL.md`]: bytes(name),
      },
      append: { 'log/day': bytes(`${name}\n`) },
      value: undefined,
    }
  })
  if (!result.ok) throw result.error
  if (number % 5 === 4) {
    const moved = await storage.update([`${folder}/`, `archive/${name}/`], () => ({
      move: [[folder, `archive/${name}`]],
      value: undefined,
    }))
    if (!moved.ok) throw moved.error
    writeSync(1, `moved ${name}\n`)
  }
  writeSync(1, `${name}\n`)
}

writeSync(1, 'ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))
for (let number = 0; number < updates; number++) await update(`${writer}-${number}`, number)
await storage.close()
process.exit(0)
