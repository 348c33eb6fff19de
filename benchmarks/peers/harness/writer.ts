/** Reads the store, then writes facts until it is killed. File descriptor 3: what was read as one line of JSON, then the number of each acknowledged write. */
import { writeSync } from 'node:fs'
import type { OpenStore } from '../port.ts'

const [, , peer = '', folder = '', prefix = ''] = process.argv
const module: { readonly openStore: OpenStore } = await import(`../../adapters/${peer}/dist/store.mjs`)
const store = await module.openStore(folder)
writeSync(3, `${JSON.stringify(await store.read())}\n`)
for (let count = 0; prefix !== ''; count++) {
  await store.write(`${prefix}-${count};`)
  writeSync(3, `${count}\n`)
}
process.exit(0)
