import { describe, expect, it } from 'vitest'
import { createHermes } from '../create-hermes.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import { nearKey } from './config-keys.ts'
import { EMPTY_CONFIG, toHermesOptions } from './hermes-config.ts'
import { readHermesConfig } from './parse-hermes-config.ts'

const homeWith = async (bytes: Uint8Array) => {
  const storage = inMemoryBackend()
  await updateDocument(storage, 'config.yaml', () => bytes)
  return storage
}

describe('readHermesConfig', () => {
  it('sets nothing if there is no file', async () => {
    expect(await readHermesConfig(inMemoryBackend())).toMatchObject({ ok: true, value: { config: EMPTY_CONFIG, warnings: [] } })
  })

  it('refuses what is not UTF-8, and leaves it there', async () => {
    const storage = await homeWith(Uint8Array.of(0xff, 0xfe, 0x00))
    expect(await readHermesConfig(storage)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    expect(await readDocument(storage, 'config.yaml')).toMatchObject({ value: { bytes: Uint8Array.of(0xff, 0xfe, 0x00) } })
  })

  it('passes on what the storage says', async () => {
    const storage = inMemoryBackend()
    await storage.close()
    expect(await readHermesConfig(storage)).toMatchObject({ ok: false, error: { code: 'closed' } })
  })
})

describe('toHermesOptions', () => {
  it('gives createHermes what the file sets, and no more', async () => {
    const storage = await homeWith(new TextEncoder().encode('memory:\n  user_char_limit: 99\n  memory_enabled: no\n  nudge_interval: 3\n'))
    const reading = await readHermesConfig(storage)
    if (!reading.ok) throw reading.error
    const options = toHermesOptions(reading.value.config)
    expect(options).toEqual({ memory: { memoryEnabled: false, userCharLimit: 99 }, nudge: { memoryInterval: 3 }, curator: { backup: {} } })
    const store = createHermes({ storage, ...options }).memoryStore()
    expect([store.charLimit('user'), store.charLimit('memory'), store.isEnabled('memory'), store.isEnabled('user')]).toEqual([
      99,
      2200,
      false,
      true,
    ])
  })

  it('passes the curator on as createHermes takes it, but for the name of its model', async () => {
    const storage = await homeWith(
      new TextEncoder().encode(
        'curator:\n  enabled: no\n  archive_after_days: never\n  count_by: active-days\n  review_model: small\n  backup: { retain_weeks: 2 }\n',
      ),
    )
    const reading = await readHermesConfig(storage)
    if (!reading.ok) throw reading.error
    const options = toHermesOptions(reading.value.config)
    expect(options.curator).toEqual({ enabled: false, archiveAfterDays: 'never', countBy: 'active-days', backup: { retainWeeks: 2 } })
    expect(() => createHermes({ storage, ...options })).not.toThrow()
  })

  it('calls the nudge for skills by its own name', () => {
    expect(toHermesOptions({ ...EMPTY_CONFIG, skills: { creationNudgeInterval: 7 } }).nudge).toEqual({ skillInterval: 7 })
  })
})

describe('nearKey', () => {
  const known = ['memory', 'skills', 'curator']

  it.each([
    ['memroy', 'memory'],
    ['skill', 'skills'],
    ['Curator', 'curator'],
    ['curatr', 'curator'],
  ])('takes %s for %s', (key, near) => {
    expect(nearKey(key, known)).toBe(near)
  })

  it.each(['model', 'tools', 'mcp_servers', ''])('takes %j for none of them', (key) => {
    expect(nearKey(key, known)).toBeUndefined()
  })

  it('does not compare what is too long for a key', () => {
    expect(nearKey('memory'.repeat(100_000), known)).toBeUndefined()
  })

  it('does not guess between two that are equally near', () => {
    expect(nearKey('cad', ['cat', 'car'])).toBeUndefined()
  })
})
