/** Prints whether node:crypto was loaded: after a process has read its memory, and after it has written. */
import { MemoryStore } from '../../../src/memory/memory-store.ts'
import { fileSystemBackend } from '../../../src/storage/files/file-backend.ts'

const store = new MemoryStore({ storage: fileSystemBackend(process.argv[2] ?? '') })
// Not in Node's types.
const modules = (): readonly string[] => Reflect.get(process, 'moduleLoadList')
const isLoaded = () => modules().includes('NativeModule crypto')

await store.load()
const whenRead = isLoaded()
const { ok } = await store.apply('memory', { action: 'add', content: 'Tests run with Vitest.' })
process.stdout.write(JSON.stringify({ block: store.renderSnapshot('memory'), whenRead, ok, whenWritten: isLoaded() }))
