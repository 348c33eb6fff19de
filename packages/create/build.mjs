/** Builds dist: the command with what it asks with in one file, so that `npm create` fetches one package, and the licences of what is bundled. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { thirdPartyLicences } from '../../scripts/third-party.ts'

const { output } = await build({
  cwd: import.meta.dirname,
  input: 'src/main.ts',
  platform: 'node',
  output: { file: 'dist/main.js', format: 'esm' },
})

const licences = thirdPartyLicences(output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])))
writeFileSync(join(import.meta.dirname, 'dist/THIRD-PARTY.txt'), licences)
