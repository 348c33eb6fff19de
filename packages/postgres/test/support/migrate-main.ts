/** `node migrate-main.ts <config>`: opens the storage at the moment it is told to, writes one document and ends. */
import { once } from 'node:events'
import { put } from './entries.ts'
import { open } from './open-in-child.ts'

const config = JSON.parse(process.argv[2] ?? '')
const storage = await open(config)
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const written = await put(storage, `docs/${process.pid}`, 'text')
await storage.close()
if (!written.ok) throw written.error
process.exit()
