/** `hermes doctor`: looks at everything that can be wrong with a home, and says what to do. Reads only, unless `--repair` is given. */
import { ok } from '@hermes/core'
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { lookAtHome } from '../../home-folder.ts'
import { counted } from '../../terminal/format.ts'
import { checkAgents } from './agents.ts'
import { type Check, countChecks, type Examine, renderChecks } from './doctor-view.ts'
import { checkDisk, checkHome, checkLock, checkNode, checkPermissions, checkPython } from './machine.ts'
import { describeRepair, repairHome } from './repair.ts'
import { checkConfig, checkDatabase, checkModel, checkRecall } from './services.ts'
import { checkCurator, checkJournal, checkMemory, checkPending, checkSessions, checkSkills } from './stored.ts'

const OF_MACHINE: readonly Examine[] = [checkNode, checkHome, checkPermissions, checkDisk, checkLock, checkPython]
const OF_SERVICES: readonly Examine[] = [checkConfig, checkModel, checkRecall, checkAgents]
const OF_DATA: readonly Examine[] = [checkMemory, checkSkills, checkSessions, checkPending, checkCurator]

const examineAll = async (context: Context): Promise<readonly Check[]> => {
  const checks: Check[] = []
  for (const examine of [...OF_MACHINE, ...OF_SERVICES]) checks.push(await examine(context))
  const database = await checkDatabase(context)
  if (database) checks.push(database)
  if (lookAtHome(context.home) !== 'there') return checks
  for (const examine of OF_DATA) checks.push(await examine(context))
  return [...checks, ...(await checkJournal(context))]
}

export const doctorCommand = defineCommand({
  describe: 'Check the home and what it works with, and say what to do. Changes nothing without --repair.',
  examples: [
    ['hermes doctor', 'exit code 0 if nothing is broken, else 1'],
    ['hermes doctor --verbose', 'with the name of each damaged document'],
    ['hermes doctor --repair', 'first set damaged records of origins aside, and take them from the journal'],
    ['hermes doctor --home /var/lib/app --user ada', 'the home of one person of a server'],
  ],
  withoutConfig: true,
  options: (parser) =>
    parser
      .option('verbose', { alias: 'v', type: 'boolean', describe: 'also show the details of each check' })
      .option('repair', { type: 'boolean', describe: 'first repair damaged records of origins; the damaged file is kept' }),
  run: async ({ verbose = false, repair = false }, context) => {
    const repaired = repair ? await repairHome(context) : ok([])
    if (!repaired.ok) return failed(repaired.error)
    const checks = await examineAll(context)
    const { problem } = countChecks(checks)
    const told = repaired.value
    return {
      value: { ...(repair ? { repaired: told } : {}), checks },
      text: (terminal) => `${repair ? `${describeRepair(told)}\n` : ''}${renderChecks(checks, verbose, terminal)}`,
      ...(problem === 0 ? {} : failed({ code: 'problem', message: `${counted(problem, 'problem')} found.` })),
    }
  },
})
