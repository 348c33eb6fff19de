/** A new process up to the block of the prompt: says so on file descriptor 3, with its memory use. With `import`, it loads the peer's modules and stops. */
import { writeSync } from 'node:fs'
import type { OpenStore } from '../port.ts'

const [, , peer = '', what = '', folder = ''] = process.argv
if (what === 'store' || what === 'chat') await import(`../../adapters/${peer}/dist/${what}.mjs`)
if (what === 'block') {
  const module: { readonly openStore: OpenStore } = await import(`../../adapters/${peer}/dist/store.mjs`)
  const store = await module.openStore(folder)
  await store.block()
}
writeSync(3, `${process.memoryUsage.rss()}\n`)
process.exit(0)
