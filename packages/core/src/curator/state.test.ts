import { expect, it } from 'vitest'
import { openCurator } from '../../test/support/open-curator.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import { CURATOR_STATE_PATH, readCuratorState, updateCuratorState } from './state.ts'

const NOON = Date.UTC(2026, 5, 1, 12)

const openWith = async (content?: string | Uint8Array) => {
  const storage = inMemoryBackend()
  if (content !== undefined) {
    await updateDocument(storage, CURATOR_STATE_PATH, () => (typeof content === 'string' ? new TextEncoder().encode(content) : content))
  }
  const text = async (path = CURATOR_STATE_PATH) => {
    const read = await readDocument(storage, path)
    return read.ok && read.value ? new TextDecoder().decode(read.value.bytes) : undefined
  }
  return { storage, text }
}

it('reads what Python Hermes wrote, and writes what it reads, other keys included', async () => {
  const stored = {
    last_run_at: '2026-05-25T12:00:00.000001+00:00',
    last_run_duration_seconds: 1.0,
    last_run_summary: 'auto: no changes',
    last_run_summary_shown_at: '2026-05-26T08:00:00+00:00',
    last_report_path: '/home/a/.hermes/logs/curator/20260525-120000',
    paused: false,
    run_count: 3,
    _later: { x: 1 },
  }
  const { storage, text } = await openWith(
    JSON.stringify(stored).replace('"last_run_duration_seconds":1', '"last_run_duration_seconds":1.0'),
  )
  const read = await readCuratorState(storage)
  expect(read).toMatchObject({
    ok: true,
    value: { state: { lastRunDurationSeconds: 1, lastRunSummary: 'auto: no changes', paused: false, runCount: 3 } },
  })
  expect(read.ok && read.value.state.lastRunAt).toBeCloseTo(NOON - 7 * 86_400_000 + 0.001, 3)
  await updateCuratorState(storage, ({ runCount }) => ({ runCount: runCount + 1 }))
  const written = (await text()) ?? ''
  expect(JSON.parse(written)).toEqual({ ...stored, run_count: 4 })
  expect(written).toContain('"last_run_duration_seconds": 1.0')
  expect(Object.keys(JSON.parse(written))).toEqual(Object.keys(stored).sort())
})

it('has not run yet if there is no state', async () => {
  const { storage } = await openWith()
  expect(await readCuratorState(storage)).toEqual({
    ok: true,
    value: {
      problem: undefined,
      state: {
        lastRunAt: undefined,
        lastRunDurationSeconds: undefined,
        lastRunSummary: undefined,
        lastReportPath: undefined,
        paused: false,
        runCount: 0,
        retryAt: undefined,
        merging: undefined,
      },
    },
  })
})

it('takes a doubtful pause for a pause, and an unreadable time for none', async () => {
  const { storage } = await openWith('{"paused":"false","last_run_at":1700000000,"run_count":"3"}')
  expect(await readCuratorState(storage)).toMatchObject({ ok: true, value: { state: { paused: true, lastRunAt: undefined, runCount: 0 } } })
})

it('forgets the time of a retry altogether once it is over', async () => {
  const { storage, text } = await openWith()
  await updateCuratorState(storage, () => ({ retryAt: NOON }))
  expect(JSON.parse((await text()) ?? '')).toMatchObject({ _retry_at: '2026-06-01T12:00:00+00:00' })
  await updateCuratorState(storage, () => ({ retryAt: undefined }))
  expect(JSON.parse((await text()) ?? '')).not.toHaveProperty('_retry_at')
})

it('counts every concurrent change', async () => {
  const { storage } = await openWith()
  await Promise.all(Array.from({ length: 20 }, () => updateCuratorState(storage, ({ runCount }) => ({ runCount: runCount + 1 }))))
  expect(await readCuratorState(storage)).toMatchObject({ ok: true, value: { state: { runCount: 20 } } })
})

it('keeps a corrupt state aside, once, before it gives way', async () => {
  for (const corrupt of ['{oops', '[]', new Uint8Array([0x7b, 0xff])]) {
    const { storage, text } = await openWith(corrupt)
    expect(await readCuratorState(storage)).toMatchObject({
      ok: true,
      value: { state: { lastRunAt: undefined }, problem: { code: 'unreadable' } },
    })
    const updated = await updateCuratorState(storage, () => ({ lastRunAt: NOON }))
    expect(updated).toMatchObject({ ok: true, value: { changed: true, problem: { code: 'unreadable' } } })
    expect(JSON.parse((await text()) ?? '')).toMatchObject({ last_run_at: '2026-06-01T12:00:00+00:00' })
    const listed = await storage.list('skills')
    const aside = listed.ok ? listed.value.filter(({ path }) => path.includes('corrupt')) : []
    expect(aside).toHaveLength(1)
    const kept = await readDocument(storage, aside[0]?.path ?? '')
    expect(kept.ok && kept.value?.bytes).toEqual(typeof corrupt === 'string' ? new TextEncoder().encode(corrupt) : corrupt)
  }
})

it('pauses and resumes, and writes nothing if nothing changes', async () => {
  const { storage, text } = await openWith()
  const curator = openCurator({ storage, clock: () => NOON })
  expect(await curator.resume()).toMatchObject({ ok: true, value: { changed: false } })
  expect(await text()).toBeUndefined()
  expect(await curator.pause()).toMatchObject({ ok: true, value: { changed: true, state: { paused: true } } })
  expect(await curator.pause()).toMatchObject({ ok: true, value: { changed: false } })
  expect(await curator.resume()).toMatchObject({ ok: true, value: { changed: true, state: { paused: false } } })
})

it('stores which run asks a model at present, and forgets it', async () => {
  const { storage } = await openWith()
  for (const merging of [{ until: NOON, process: 'a-1', pid: 7, host: 'abc' }, { until: NOON, process: 'a-1' }, undefined]) {
    await updateCuratorState(storage, () => ({ merging }))
    expect(await readCuratorState(storage)).toMatchObject({ ok: true, value: { state: { merging } } })
  }
})
