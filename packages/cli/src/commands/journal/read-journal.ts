/** The journal and the pending proposals of the home, with one warning for all that cannot be read. */
import type { HermesError } from '@hermes/core'
import { createJournal, createPending, type Journal, type Pending } from '@hermes/core/journal'
import type { Context } from '../../context.ts'

/** Programs are told of each problem, people of the first and of their number. */
const tellProblems = (problems: readonly HermesError[], what: string, { warn, isJson }: Context): void => {
  const [first] = problems
  if (isJson || problems.length < 2) for (const { message } of problems) warn(message)
  else if (first)
    warn(`${problems.length} ${what} cannot be read; the rest is complete. The first: ${first.message} --json lists all of them.`)
}

/** Warns after each reading. */
const telling = async <T>(what: string, context: Context, read: (onProblem: (problem: HermesError) => void) => Promise<T>): Promise<T> => {
  const problems: HermesError[] = []
  const result = await read((problem) => void problems.push(problem))
  tellProblems(problems, what, context)
  return result
}

export const openJournal = (context: Context): Pick<Journal, 'list'> => {
  const { storage, clock, world } = context
  return {
    list: (filter) =>
      telling('records of the journal', context, (onProblem) =>
        createJournal({ storage, clock, createId: world.createId, onProblem }).list(filter),
      ),
  }
}

export const openPending = (context: Context): Pick<Pending, 'list'> => {
  const { storage, clock } = context
  return { list: () => telling('pending proposals', context, (onProblem) => createPending({ storage, clock, onProblem }).list()) }
}
