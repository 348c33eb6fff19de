/**
 * A runner for Vitest that stays: it runs the tests that the plugin asks for, again and again, in a process that has loaded the sources
 * once. A mutant is a branch in the loaded code, switched by a global, so nothing needs to be loaded for it.
 */
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, type SerializedConfig, TestRunner, vi } from 'vitest'
import { startTests } from 'vitest/internal/browser'
import {
  type Failure,
  type Hits,
  type RanTest,
  type RunAnswer,
  type RunRequest,
  SOCKET_VARIABLE,
  toLine,
  type WantedTests,
} from './protocol.ts'

/** A test that takes longer, with coverage counted, would take most of the time of the whole run. On a busy machine each takes twice as long. */
const SLOW_MS = 2500

/** Not tests of speed or of a short time limit, which a busy machine fails, nor those that play many whole sessions. */
const NOT_SLOW = /^(?!.*(?:stays quick|never answers|sixty statements|whatever a page says and the agent notes of it))/

/** A test whose process had nothing to do for so long waits for something that the mutant prevents. */
const IDLE_MS = 3000
const TICK_MS = 100
const IDLE_TICK_CPU_MS = 5

/** After a test that waits, its hooks may wait for the same. */
const HOOK_TIMEOUT_MS = 10_000

/** Before a test puts its own in their place. */
const { setInterval, clearInterval } = globalThis
const now = performance.now.bind(performance)

/** Rejects once this process is idle. Ticks that come late say nothing: the machine is busy with others. */
const orIdle = async (work: () => unknown): Promise<unknown> => {
  let ticks = 0
  let cpu = process.cpuUsage()
  let at = now()
  let timer: ReturnType<typeof setInterval> | undefined
  const idle = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const { user, system } = process.cpuUsage(cpu)
      const isIdle = (user + system) / 1000 < IDLE_TICK_CPU_MS && now() - at < 1.5 * TICK_MS
      ticks = isIdle ? ticks + 1 : 0
      cpu = process.cpuUsage()
      at = now()
      if (ticks * TICK_MS >= IDLE_MS) reject(new Error('The test waits for something that never comes.'))
    }, TICK_MS)
  })
  try {
    return await Promise.race([work(), idle])
  } finally {
    clearInterval(timer)
  }
}

/** What the instrumented sources read and write. */
type Switches = {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage?: RunAnswer['coverage']
}

const globals = globalThis as { __stryker__?: Switches }
globals.__stryker__ ??= {}
const switches = globals.__stryker__

// A property that fails need not look for its smallest counterexample.
Reflect.set(globalThis, Symbol.for('fast-check/GlobalParameters'), { endOnFailure: true })

/** What no test caught in the run of one file. */
const uncaught: string[] = []

const toId = (test: RunnerTestCase): string => `${test.file.filepath}#${test.fullTestName}`

const messageOf = (task: RunnerTask | undefined): string => task?.result?.errors?.[0]?.message ?? 'failed without a message'

/** Leaves only the wanted tests, and no hook of a suite without one. */
const keepWanted = (task: RunnerTask, wanted: ReadonlySet<string>): boolean => {
  const isWanted = task.type === 'test' ? wanted.has(toId(task)) : task.tasks.map((each) => keepWanted(each, wanted)).includes(true)
  if (!isWanted && task.mode !== 'todo') task.mode = 'skip'
  return isWanted && task.mode !== 'skip'
}

const suiteFailure = (task: RunnerTask): Failure | undefined => {
  if (task.result?.state !== 'fail') return undefined
  if (task.result.errors?.length) return { id: task.type === 'test' ? toId(task) : '', message: messageOf(task) }
  return task.type === 'test' ? undefined : task.tasks.map(suiteFailure).find((failure) => failure !== undefined)
}

type Options = { readonly wanted?: ReadonlySet<string>; readonly mutant?: string | undefined }

/** One run of one file, of which Vitest itself hears nothing. */
class FileRun extends TestRunner {
  readonly ran: RanTest[] = []
  failure: Failure | undefined
  readonly #options: Options
  #cpuBefore = process.cpuUsage()

  constructor(config: SerializedConfig, server: object, options: Options) {
    super(config)
    this.#options = options
    Object.defineProperty(this, 'moduleRunner', { value: Reflect.get(server, 'moduleRunner') })
    Reflect.set(this, '_otel', Reflect.get(server, '_otel'))
  }

  onCollected(files: RunnerTestFile[]): void {
    const { wanted, mutant } = this.#options
    if (wanted !== undefined) for (const file of files) keepWanted(file, wanted)
    switches.activeMutant = mutant
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    if (this.failure !== undefined) test.mode = 'skip'
    await super.onBeforeRunTask(test)
  }

  override onBeforeTryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): void {
    super.onBeforeTryTask(test, options)
    this.#cpuBefore = process.cpuUsage()
    if (this.#options.mutant === undefined) switches.currentTestId = toId(test)
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const work = TestRunner.getTestFn(test)
    await (this.#options.mutant === undefined ? work() : orIdle(work))
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    switches.currentTestId = undefined
    super.onAfterRunTask(test)
    const { state } = test.result ?? {}
    const { user, system } = process.cpuUsage(this.#cpuBefore)
    if (state === 'fail') this.failure ??= { id: toId(test), message: messageOf(test) }
    const { line = 1 } = test.location ?? {}
    if (state === 'pass')
      this.ran.push({ id: toId(test), name: test.fullTestName, file: test.file.filepath, line, ms: (user + system) / 1000 })
  }
}

// biome-ignore lint/style/noDefaultExport: Vitest takes a runner from the default export.
export default class ServeTests extends TestRunner {
  /** The tests that have run without a mutant. */
  readonly #loaded = new Set<string>()

  /** Serves until the plugin closes the connection; the file that Vitest named is only there to start this process. */
  async onBeforeCollect(): Promise<void> {
    const socket = connect(process.env[SOCKET_VARIABLE] ?? '')
    process.on('unhandledRejection', (error) => uncaught.push(String(error)))
    process.on('uncaughtException', (error) => uncaught.push(String(error)))
    for await (const line of createInterface({ input: socket })) {
      const request: RunRequest = JSON.parse(line)
      const answer = await (request.mutant === undefined ? this.#measure(request) : this.#answer(request))
      socket.write(toLine(answer))
    }
    process.kill(process.pid, 'SIGKILL')
  }

  /**
   * All files once to load the sources, then the quick tests once more to see which reaches what. What only the first run reaches is
   * computed while a module loads or kept from then on: a test of a loaded process cannot switch it.
   */
  async #measure(request: RunRequest): Promise<RunAnswer> {
    const first = await this.#answer(request)
    if (first.failure !== undefined) return first
    const coverage = switches.mutantCoverage ?? { static: {}, perTest: {} }
    const loading: Hits = Object.assign({}, coverage.static, ...Object.values(coverage.perTest))
    // Loaded modules keep the object itself.
    Object.assign(coverage, { static: {}, perTest: {} })
    const quick = first.tests.filter(({ ms }) => ms <= SLOW_MS)
    const files = request.files.map(({ file }) => ({ file, tests: quick.filter((test) => test.file === file).map(({ id }) => id) }))
    const second = await this.#answer({ ...request, files })
    const covered = new Set(Object.values(coverage.perTest).flatMap(Object.keys))
    const atLoad = Object.fromEntries(Object.entries(loading).filter(([mutant]) => !covered.has(mutant)))
    return {
      ...second,
      slow: first.tests.filter(({ ms }) => ms > SLOW_MS),
      coverage: { static: { ...atLoad, ...coverage.static }, perTest: coverage.perTest },
    }
  }

  async #answer({ files, mutant, hitLimit, testTimeoutMs }: RunRequest): Promise<RunAnswer> {
    const tests: RanTest[] = []
    let hitCount = 0
    for (const { file, tests: ids } of files) {
      // What a module computes while it loads would keep the mutant.
      const unloaded = ids?.filter((id) => !this.#loaded.has(id)) ?? []
      if (mutant !== undefined && unloaded.length > 0) await this.#run({ file, tests: unloaded }, { mutant: undefined, testTimeoutMs })
      for (const id of unloaded) this.#loaded.add(id)
      Object.assign(switches, { hitCount: 0, hitLimit })
      const run = await this.#run({ file, tests: ids }, { mutant, testTimeoutMs })
      hitCount += switches.hitCount ?? 0
      tests.push(...run.ran)
      if (run.failure === undefined) continue
      const again = mutant === undefined || run.failure.id === '' ? undefined : { file, tests: [run.failure.id] }
      Object.assign(switches, { hitCount: undefined, hitLimit: undefined })
      const isDirty = again !== undefined && (await this.#run(again, { mutant: undefined, testTimeoutMs })).failure !== undefined
      return { tests, failure: run.failure, isDirty, hitCount }
    }
    return { tests, isDirty: false, hitCount }
  }

  async #run(
    { file, tests }: { readonly file: string; readonly tests?: WantedTests['tests'] | undefined },
    { mutant, testTimeoutMs }: { readonly mutant: string | undefined; readonly testTimeoutMs: number },
  ): Promise<FileRun> {
    const hookTimeout = mutant === undefined ? testTimeoutMs : HOOK_TIMEOUT_MS
    const config = { ...this.config, testNamePattern: NOT_SLOW, testTimeout: testTimeoutMs, hookTimeout }
    const run = new FileRun(config, this, { mutant, ...(tests === undefined ? {} : { wanted: new Set(tests) }) })
    uncaught.length = 0
    Reflect.get(this, 'workerState').filepath = file
    // A test that puts something in the place of a module has to load the sources anew, or they keep that of the run before.
    if (this.config.name === 'isolated') vi.resetModules()
    const [result] = await startTests([file], run)
    switches.activeMutant = undefined
    vi.useRealTimers()
    vi.restoreAllMocks()
    await setImmediate()
    if (result !== undefined) run.failure ??= suiteFailure(result)
    if (uncaught.length > 0) run.failure ??= { id: '', message: `Not caught: ${uncaught[0]}` }
    return run
  }
}
