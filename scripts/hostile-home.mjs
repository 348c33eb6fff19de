/**
 * Builds a home in which one skill has the fault that the argument names, and prints the part of the system prompt about the valid skill.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHermes } from '../packages/core/dist/esm/index.js'
import { fileSystemBackend } from '../packages/core/dist/esm/storage/files/index.js'

const SIZE = 30_000

const HOSTILE_VALUES = {
  'flow-sequence': `x: ${'['.repeat(SIZE)}`,
  'flow-map': `x: ${'{a: '.repeat(SIZE / 4)}`,
  'block-sequence': `x:\n${'- '.repeat(SIZE / 2)}a`,
  'explicit-key': '? '.repeat(SIZE / 2),
  'block-map': Array.from({ length: 240 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
}

const home = mkdtempSync(join(tmpdir(), 'hermes-hostile-'))
const addSkill = (name, frontMatter) => {
  mkdirSync(join(home, 'skills', name), { recursive: true })
  writeFileSync(
    join(home, 'skills', name, 'SKILL.md'),
    `---\n${frontMatter}\nname: ${name}\ndescription: The skill ${name}.\n---\n# ${name}\nDo it.\n`,
  )
}

try {
  addSkill('hostile', HOSTILE_VALUES[process.argv[2]])
  addSkill('sound', 'license: MIT')
  const hermes = createHermes({ storage: fileSystemBackend(home) })
  const session = hermes.session('only')
  // The prompt lists skills only if the host offers the tools.
  const offered = session.offerTools().length
  const block = offered > 0 ? await session.systemBlock() : ''
  await hermes.close()
  console.log(JSON.stringify({ node: process.version, sound: block.includes('- sound: The skill sound.') }))
} finally {
  rmSync(home, { recursive: true, force: true })
}
