/** A home with something in it, and requests as a browser on the page sends them. */
import { createHermes, type Hermes, type HermesHomes, inMemoryBackend, ok, type ReviewGate } from '@hermes/core'
import { hermesInspector, type InspectorOptions } from '../src/inspector.ts'

export const ORIGIN = 'http://127.0.0.1:4983'

export const value = <T>(result: { ok: true; value: T } | { ok: false; error: Error }): T => {
  if (!result.ok) throw result.error
  return result.value
}

export const skillText = (name: string, body: string): string => `---\nname: ${name}\ndescription: About ${name}.\n---\n\n${body}\n`

export interface TestHome {
  readonly hermes: Hermes
  readonly time: { now: number }
}

export const holdAll: ReviewGate = async () =>
  ok({ approved: false, held: true, reason: 'Text from outside waits for a person.', origin: 'tool' })

/** A home whose gate holds everything. */
export const createHome = (): TestHome => {
  const time = { now: Date.UTC(2026, 4, 20, 9) }
  const hermes = createHermes({
    storage: inMemoryBackend(),
    clock: () => time.now,
    actor: 'person',
    gate: holdAll,
  })
  return { hermes, time }
}

/** Proposes additions that the gate holds. */
export const holdAdditions = async ({ hermes, time }: TestHome, texts: readonly string[]): Promise<void> => {
  const session = hermes.session('chat-1')
  for (const content of texts) {
    time.now += 1_000
    value(
      await session.submit({
        target: 'memory',
        op: { action: 'add', content },
        rationale: 'It was in a page.',
        score: 0.9,
        evidence: [{ quote: content }],
      } as never),
    )
  }
}

export interface Browser {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  json<T>(path: string): Promise<T>
  readonly cookie: string
}

/** Opens the link, once. */
export const openInspector = async (
  target: Hermes | HermesHomes,
  options: InspectorOptions = {},
): Promise<Browser & { readonly inspector: ReturnType<typeof hermesInspector> }> => {
  const inspector = hermesInspector(target, options)
  const opened = await inspector(new Request(await inspector.link(ORIGIN)))
  const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';')
  const base = options.basePath ?? ''
  const send = (path: string, init: RequestInit, headers: Readonly<Record<string, string>>) =>
    inspector(new Request(`${ORIGIN}${base}${path}`, { ...init, headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers } }))
  const get: Browser['get'] = (path, headers = {}) => send(path, {}, headers)
  return {
    inspector,
    cookie,
    get,
    post: (path, body = {}, headers = {}) =>
      send(path, { method: 'POST', body: JSON.stringify(body) }, { 'content-type': 'application/json', origin: ORIGIN, ...headers }),
    json: async <T>(path: string) => (await (await get(path)).json()) as T,
  }
}

/** The entries of MEMORY.md. */
export const entriesOf = async ({ hermes }: TestHome) => value(await hermes.memoryStore().current('memory'))
/** How many proposals wait. */
export const waitingOf = async ({ hermes }: TestHome) => value(await hermes.pending.list()).length

export const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Fact number ${index + 1}`)
