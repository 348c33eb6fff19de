/** What a reader takes from the log while another process writes. */
import { afterEach, expect, it, vi } from 'vitest'
import { FileBackend } from '../../src/storage/files/file-backend.ts'
import { Home } from '../../src/storage/files/home.ts'
import { Log } from '../../src/storage/files/log.ts'
import { fs } from '../../src/storage/files/node-fs.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const boot = 'this start'
const paths = ['sessions/a.json', 'sessions/b.json']
const put = (length: number) => ({ put: Object.fromEntries(paths.map((path) => [path, new Uint8Array(length)])), value: undefined })

afterEach(() => {
  vi.restoreAllMocks()
})

it('is not the state before an update that was carried out and removed from the log between two calls', async () => {
  const folder = temporaryFolder()
  let go = () => {}
  let isHeld = false
  const atStep = (step: string) => (isHeld && step === 'placed' ? new Promise<void>((resolve) => (go = resolve)) : undefined)
  const writer = new FileBackend(folder, { boot, atStep })
  // So long that a reader needs two calls.
  await writer.update(paths, () => put(20_000))
  await writer.read(paths)
  const home = new Home(folder)
  await home.open()
  const log = new Log(home, boot)
  const before = await log.look()
  isHeld = true
  const updating = writer.update(paths, () => put(10), { forget: true })
  await expect.poll(() => log.look(), { interval: 5 }).toMatchObject({ isBehind: true })
  const read = fs.read
  const late = (...given: readonly unknown[]) => {
    const isHeader = given[4] === 0
    if (isHeader || !isHeld) return Reflect.apply(read, fs, given)
    isHeld = false
    go()
    return void updating.then(() => Reflect.apply(read, fs, given))
  }
  vi.spyOn(fs, 'read').mockImplementation(late as never)
  const seen = await log.look()
  expect(seen).not.toEqual(before)
  expect(await updating).toMatchObject({ ok: true })
  expect(await log.look()).toMatchObject({ isBehind: false })
  await log.close()
  await writer.close()
})

it('is no state, but an error, if the disk does not answer', async () => {
  const storage = new FileBackend(temporaryFolder(), { timeoutMs: 60 })
  await storage.update(paths, () => put(1))
  vi.spyOn(fs, 'read').mockImplementation((() => undefined) as never)
  const read = await storage.read(paths)
  expect(read).toMatchObject({
    ok: false,
    error: { code: 'io', message: expect.stringMatching(/not answered for 60 ms.*Nothing was written/) },
  })
  vi.restoreAllMocks()
  expect(await storage.read(paths)).toMatchObject({ ok: true })
})

it.runIf(process.platform === 'linux')('is not an update that was refused because the disk did not take one of its documents', async () => {
  const folder = temporaryFolder()
  const path = 'a'
  const write = (storage: FileBackend, text: string) =>
    storage.update([path], () => ({ put: { [path]: new TextEncoder().encode(text) }, value: undefined }))
  const storage = new FileBackend(folder, { boot })
  expect(await write(storage, 'old')).toMatchObject({ ok: true })
  const { fstat } = fs
  const failing = (...given: readonly unknown[]) => {
    if (!fs.readlinkSync(`/proc/self/fd/${given[0]}`).includes('.hermes-tmp-')) return Reflect.apply(fstat, fs, given)
    const done = given.at(-1) as (error: Error) => void
    return void setTimeout(() => done(Object.assign(new Error('EIO: as given'), { code: 'EIO' })), 20)
  }
  vi.spyOn(fs, 'fstat').mockImplementation(failing as never)
  expect(await write(storage, 'new')).toMatchObject({ ok: false, error: { code: 'io' } })
  vi.restoreAllMocks()
  const read = await new FileBackend(folder, { boot }).read([path])
  expect(read.ok && new TextDecoder().decode(read.value.document(path)?.bytes)).toBe('old')
})

it('is never one document from before an update and one from after it', async () => {
  const folder = temporaryFolder()
  const [writer, reader] = [new FileBackend(folder, { boot }), new FileBackend(folder, { boot })]
  await writer.update(paths, () => put(1))
  await reader.read(paths)
  const { open } = fs
  let isHeld = true
  const late = (...given: readonly unknown[]) => {
    if (!isHeld || !String(given[0]).endsWith('a.json')) return Reflect.apply(open, fs, given)
    isHeld = false
    // Once the other document has been read.
    return void setTimeout(() => writer.update(paths, () => put(2)).then(() => Reflect.apply(open, fs, given)), 30)
  }
  vi.spyOn(fs, 'open').mockImplementation(late as never)
  const read = await reader.read(paths)
  expect(isHeld).toBe(false)
  expect(paths.map((path) => read.ok && read.value.document(path)?.bytes.length)).toEqual([2, 2])
})
