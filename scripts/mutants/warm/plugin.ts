/**
 * The test runner of the mutation run. Stryker's own runner for Vitest starts a process for each mutant, which loads hundreds of modules
 * before the first test; this one keeps the process (serve-tests.ts). Each file of the project `isolated` has its own, and runs only if
 * a mutant has survived the others.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Logger } from '@stryker-mutator/api/logging'
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  TestStatus,
} from '@stryker-mutator/api/test-runner'
import type { Failure, Hits, RanTest, RunAnswer, RunRequest, WantedTests } from './protocol.ts'
import { type TestProcess, TestProcesses } from './test-process.ts'

/** Durations of the dry run, in the folder of the sandbox, for the runner that replaces a stopped one. */
const DURATIONS = 'mutants-durations.json'

/** A test that takes this much longer than its processor time waits for something that the mutant prevents. */
const TEST_TIMEOUT_MS = 10_000
const TIMES_SLOWER = 20
/** What Vitest says of a test or a hook that takes too long; it may still be running, and disturb those after it. */
const TIMED_OUT = /^(Test|Hook) timed out in /

const fileOf = (id: string): string => id.slice(0, id.indexOf('#'))

const isDoubtful = ({ isDirty, failure }: RunAnswer): boolean => isDirty || failure?.id === '' || TIMED_OUT.test(failure?.message ?? '')

const addHits = (to: Hits, from: Hits): void => {
  for (const [mutant, count] of Object.entries(from)) to[mutant] = (to[mutant] ?? 0) + count
}

class WarmTestRunner {
  static readonly inject = tokens(commonTokens.logger)
  readonly #log: Logger
  readonly #processes = new TestProcesses()
  #shared: TestProcess | undefined
  /** By test file. */
  readonly #isolated = new Map<string, TestProcess>()
  #durations: Readonly<Record<string, number>> = {}
  /** The test that last killed a mutant of a source file: the most likely to kill the next. */
  readonly #killers = new Map<string, string>()
  /** How many mutants of a source file each test file has killed. */
  readonly #kills = new Map<string, Map<string, number>>()

  constructor(log: Logger) {
    this.#log = log
  }

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init(): Promise<void> {
    if (existsSync(DURATIONS)) this.#durations = JSON.parse(readFileSync(DURATIONS, 'utf8'))
    await this.#processes.init()
  }

  async dispose(): Promise<void> {
    this.#shared?.stop()
    for (const alone of this.#isolated.values()) alone.stop()
    await this.#processes.close()
  }

  async dryRun(): Promise<DryRunResult> {
    const shared = await this.#run({ files: this.#processes.sharedFiles.map((file) => ({ file })), testTimeoutMs: 300_000 })
    const answers = [shared]
    for (const file of this.#processes.isolatedFiles) answers.push(await this.#runIsolated({ files: [{ file }], testTimeoutMs: 300_000 }))
    const failure = answers.find((answer) => answer.failure !== undefined)?.failure
    if (failure !== undefined) return { status: DryRunStatus.Error, errorMessage: `${failure.id}: ${failure.message}` }
    const tests = answers.flatMap((answer) => answer.tests)
    for (const { id, ms } of answers.flatMap(({ slow = [] }) => slow)) {
      this.#log.warn(`Left out, since it takes ${Math.round(ms)} ms: ${relative(process.cwd(), id)}`)
    }
    this.#durations = Object.fromEntries(tests.map(({ id, ms }) => [id, ms]))
    writeFileSync(DURATIONS, JSON.stringify(this.#durations))
    const mutantCoverage = { static: {} as Hits, perTest: {} as Record<string, Hits> }
    for (const { coverage } of answers) {
      addHits(mutantCoverage.static, coverage?.static ?? {})
      for (const [test, hits] of Object.entries(coverage?.perTest ?? {})) {
        mutantCoverage.perTest[test] ??= {}
        addHits(mutantCoverage.perTest[test], hits)
      }
    }
    return { status: DryRunStatus.Complete, tests: tests.map(toTestResult), mutantCoverage }
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, sandboxFileName }: MutantRunOptions): Promise<MutantRunResult> {
    const files = this.#sort(testFilter ?? Object.keys(this.#durations), sandboxFileName)
    const slowest = Math.max(0, ...files.flatMap(({ tests = [] }) => tests).map((id) => this.#durations[id] ?? 0))
    const isolated = new Set(this.#processes.isolatedFiles)
    const request = {
      mutant: activeMutant.id,
      ...(hitLimit === undefined ? {} : { hitLimit }),
      testTimeoutMs: TEST_TIMEOUT_MS + TIMES_SLOWER * slowest,
    }
    const steps: (() => Promise<RunAnswer>)[] = [
      () => this.#runTwiceIfDirty({ ...request, files: files.filter(({ file }) => !isolated.has(file)) }),
      ...files.filter(({ file }) => isolated.has(file)).map((file) => () => this.#runIsolated({ ...request, files: [file] })),
    ]
    let nrOfTests = 0
    for (const step of steps) {
      const { failure, hitCount, tests } = await step()
      nrOfTests += tests.length
      const endless = determineHitLimitReached(hitCount, hitLimit)
      if (endless !== undefined) return { ...endless, status: MutantRunStatus.Timeout }
      if (failure === undefined) continue
      if (failure.id !== '') this.#noteKiller(sandboxFileName, failure.id)
      return toKilled(failure, nrOfTests)
    }
    return { status: MutantRunStatus.Survived, nrOfTests }
  }

  #noteKiller(source: string, id: string): void {
    const kills = this.#kills.get(source) ?? new Map<string, number>()
    this.#kills.set(source, kills.set(fileOf(id), (kills.get(fileOf(id)) ?? 0) + 1))
    this.#killers.set(source, id)
  }

  /** The likely killer first, then the files that killed most, those in the folder of the source, and those with the quickest tests. */
  #sort(ids: readonly string[], source: string): readonly WantedTests[] {
    const killer = this.#killers.get(source)
    const beside = source.replace(/ts$/, '')
    const kills = this.#kills.get(source)
    const distance = (file: string) => (file.startsWith(beside) ? 0 : dirname(file) === dirname(source) ? 1 : 2)
    const rank = (file: string) => distance(file) - (kills?.get(file) ?? 0)
    const byFile = new Map<string, string[]>()
    for (const id of ids) byFile.set(fileOf(id), [...(byFile.get(fileOf(id)) ?? []), id])
    const cost = (tests: readonly string[]) => tests.reduce((sum, id) => sum + (this.#durations[id] ?? 0), 0)
    const files = [...byFile]
      .map(([file, tests]) => ({ file, tests }))
      .sort((a, b) => rank(a.file) - rank(b.file) || cost(a.tests) - cost(b.tests))
    const first = killer !== undefined && ids.includes(killer) ? [{ file: fileOf(killer), tests: [killer] }] : []
    return [...first, ...files]
  }

  /** An answer of a process that an earlier mutant has spoiled is asked for again, of a new one; so is a time-out, which a busy machine can cause. */
  async #runTwiceIfDirty(request: RunRequest): Promise<RunAnswer> {
    if (request.files.length === 0) return { tests: [], isDirty: false, hitCount: 0 }
    const answer = await this.#run(request)
    if (!isDoubtful(answer)) return answer
    this.#shared?.stop()
    this.#shared = undefined
    return await this.#run(request)
  }

  async #run(request: RunRequest): Promise<RunAnswer> {
    this.#shared ??= await this.#processes.start('shared')
    return await this.#shared.ask(request)
  }

  /** As for the shared process. */
  async #runIsolated(request: RunRequest): Promise<RunAnswer> {
    const file = request.files[0]?.file ?? ''
    const answer = await this.#askIsolated(file, request)
    if (!isDoubtful(answer) || request.mutant === undefined) return answer
    this.#isolated.get(file)?.stop()
    this.#isolated.delete(file)
    return await this.#askIsolated(file, request)
  }

  async #askIsolated(file: string, request: RunRequest): Promise<RunAnswer> {
    const alone = this.#isolated.get(file) ?? (await this.#processes.start(file))
    this.#isolated.set(file, alone)
    return await alone.ask(request)
  }
}

const toTestResult = ({ id, name, file, line, ms }: RanTest) => ({
  id,
  name,
  fileName: file,
  startPosition: { line: line - 1, column: 0 },
  timeSpentMs: ms,
  status: TestStatus.Success as const,
})

const toKilled = ({ id, message }: Failure, nrOfTests: number): MutantRunResult => ({
  status: MutantRunStatus.Killed,
  killedBy: id === '' ? [] : [id],
  failureMessage: `${relative(process.cwd(), id)}: ${message}`,
  nrOfTests,
})

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'warm', WarmTestRunner)]
