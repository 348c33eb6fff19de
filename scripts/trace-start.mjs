/** Starts a session in the folder named on the command line, and prints the files of core that were loaded up to its text, as JSON: paths below `dist/esm`. */
import { registerHooks } from 'node:module'

const CORE = new URL('../packages/core/dist/esm/', import.meta.url).href

const loaded = []
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith(CORE)) loaded.push(url.slice(CORE.length))
    return nextLoad(url, context)
  },
})
const [{ createHermes }, { fileSystemBackend }] = [await import(`${CORE}index.js`), await import(`${CORE}storage/files/index.js`)]
const hermes = createHermes({ storage: fileSystemBackend(process.argv[2]) })
const store = hermes.memoryStore()
const text = await hermes.session().systemBlock()
const files = [...loaded]
const written = process.argv[3] && (await store.apply('memory', { action: 'add', content: process.argv[3] }, { origin: 'user' }))
await hermes.close()
process.stdout.write(JSON.stringify({ files, text, later: loaded.slice(files.length), written: written?.ok }))
