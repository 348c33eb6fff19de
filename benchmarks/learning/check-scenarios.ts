/** Checks scenarios and lexicon for mistakes that would make the figures meaningless. Returns a list of problems. Pure. */
import { holdsFact } from '../../packages/cli/src/commands/eval/outcomes.ts'
import type { FactPattern, Scenario } from '../../packages/cli/src/commands/eval/scenario.ts'
import { FORMS, FORMS_FROM_AGENT, FROM_AGENT, LITERALS } from './lexicon.ts'
import { readForm } from './read-request.ts'

const MIN_SCENARIOS = 30

const turnsOf = ({ sessions }: Scenario) => sessions.flatMap(({ turns }) => turns)

const saidBy = (scenario: Scenario): readonly string[] => turnsOf(scenario).map((turn) => ('user' in turn ? turn.user : turn[0]))

const answersIn = (scenario: Scenario): readonly string[] => turnsOf(scenario).map((turn) => ('user' in turn ? turn.answer : turn[1]))

const repeated = (names: readonly string[]): readonly string[] => names.filter((name, index) => names.indexOf(name) !== index)

/** All entries that a competent reviewer can derive from this scenario. */
const entriesFor = (scenario: Scenario): readonly string[] => {
  const [said, answers] = [saidBy(scenario), answersIn(scenario)]
  const literals = [
    ...LITERALS.filter(([says]) => said.some((text) => text.includes(says))),
    ...FROM_AGENT.filter(([says]) => answers.some((text) => text.includes(says))),
  ]
  const formsIn = (texts: readonly string[], forms: typeof FORMS) =>
    texts.flatMap((text) => forms.map((form) => readForm(form, text)?.entry))
  const forms = [...formsIn(said, FORMS), ...formsIn(answers, FORMS_FROM_AGENT)]
  return [...literals.map(([, , , entry]) => entry), ...forms].filter((entry) => entry !== undefined)
}

const problemsOf = (scenario: Scenario): readonly string[] => {
  const { id, known, kept = [], stale = [] } = scenario
  const entries = entriesFor(scenario)
  const isSaid = (fact: FactPattern): boolean => entries.some((entry) => holdsFact(entry, fact))
  const unsaid = (what: string, facts: readonly FactPattern[]) =>
    facts
      .filter((fact) => !isSaid(fact))
      .map(({ all }) => `scenario '${id}': no entry of the lexicon says what is ${what}: ${all.join(' + ')}`)
  return [...unsaid('known', known), ...unsaid('kept', kept), ...unsaid('stale', stale)]
}

/** Sentences that occur in no scenario, and subjects that several scenarios share and so are ambiguous. */
const problemsOfLexicon = (scenarios: readonly Scenario[]): readonly string[] => {
  const users = [
    ...LITERALS.map((literal) => ({ literal, texts: saidBy })),
    ...FROM_AGENT.map((literal) => ({ literal, texts: answersIn })),
  ].map(({ literal: [says, , about], texts }) => ({
    says,
    about,
    ids: scenarios.filter((scenario) => texts(scenario).some((text) => text.includes(says))).map(({ id }) => id),
  }))
  const uses = (id: string) => (id.startsWith('twelve-by-five') ? 'twelve-by-five' : id)
  const shared = [...new Set(users.map(({ about }) => about))].filter(
    (about) => new Set(users.filter((user) => user.about === about).flatMap(({ ids }) => ids.map(uses))).size > 1,
  )
  return [
    ...users.filter(({ ids }) => ids.length === 0).map(({ says }) => `no scenario says '${says}'`),
    ...shared.map((about) => `the subject '${about}' is that of several scenarios`),
  ]
}

export const checkScenarios = (scenarios: readonly Scenario[]): readonly string[] => [
  ...repeated(scenarios.map(({ id }) => id)).map((id) => `two scenarios are called '${id}'`),
  ...(scenarios.length < MIN_SCENARIOS ? [`${scenarios.length} scenarios, fewer than ${MIN_SCENARIOS}`] : []),
  ...scenarios.flatMap(problemsOf),
  ...problemsOfLexicon(scenarios),
]
