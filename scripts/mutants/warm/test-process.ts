import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node'
import { type RunAnswer, type RunRequest, SOCKET_VARIABLE, toLine } from './protocol.ts'

/** A process of Vitest that runs serve-tests.ts. */
export class TestProcess {
  readonly #socket: Socket
  readonly #answers: AsyncIterator<string>

  constructor(socket: Socket) {
    this.#socket = socket
    this.#answers = createInterface({ input: socket })[Symbol.asyncIterator]()
  }

  async ask(request: RunRequest): Promise<RunAnswer> {
    this.#socket.write(toLine(request))
    const { value, done } = await this.#answers.next()
    if (done) throw new Error('The process of the tests has ended.')
    return JSON.parse(value)
  }

  stop(): void {
    this.#socket.destroy()
  }
}

/** Starts processes for the tests of one folder: one for all that share, or one for a single file. */
export class TestProcesses {
  #server!: Server
  #forShared!: Vitest
  /** By test file: a Vitest runs one process at a time. */
  readonly #forIsolated = new Map<string, Vitest>()
  /** The end of what a Vitest runs. */
  readonly #running = new Map<Vitest, Promise<void>>()
  #specifications: readonly TestSpecification[] = []

  async init(): Promise<void> {
    const path = join(tmpdir(), `hermes-mutants-${process.pid}.sock`)
    process.env[SOCKET_VARIABLE] = path
    this.#server = createServer().listen(path)
    await once(this.#server, 'listening')
    this.#forShared = await this.#createVitest()
    this.#specifications = await this.#forShared.globTestSpecifications()
  }

  get sharedFiles(): readonly string[] {
    return this.#filesOf('shared')
  }

  get isolatedFiles(): readonly string[] {
    return this.#filesOf('isolated')
  }

  /** `what` is 'shared' or the path of an isolated file. */
  async start(what: string): Promise<TestProcess> {
    const isShared = what === 'shared'
    const vitest = isShared ? this.#forShared : (this.#forIsolated.get(what) ?? (await this.#createVitest()))
    if (!isShared) this.#forIsolated.set(what, vitest)
    await this.#running.get(vitest)
    const specification = (await vitest.globTestSpecifications()).find(({ project, moduleId }) =>
      isShared ? project.name === what : moduleId === what,
    )
    if (specification === undefined) throw new Error(`No tests: ${what}`)
    const connected = once(this.#server, 'connection')
    this.#running.set(
      vitest,
      vitest.runTestSpecifications([specification]).then(
        () => {},
        () => {},
      ),
    )
    const [socket] = await connected
    return new TestProcess(socket)
  }

  async close(): Promise<void> {
    this.#server.close()
    await Promise.allSettled([this.#forShared, ...this.#forIsolated.values()].map((vitest) => vitest.close()))
  }

  #filesOf(name: string): readonly string[] {
    return this.#specifications.filter(({ project }) => project.name === name).map(({ moduleId }) => moduleId)
  }

  async #createVitest(): Promise<Vitest> {
    return await createVitest('test', {
      config: 'scripts/mutants/vitest.config.ts',
      watch: false,
      pool: 'forks',
      maxWorkers: 1,
      maxConcurrency: 1,
      includeTaskLocation: true,
      reporters: [{}],
      onConsoleLog: () => false,
    })
  }
}
