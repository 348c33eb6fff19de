import type { AcceptedMutant } from './accepted-mutant.ts'

type Mutant = readonly [code: string | RegExp, becomes: string | RegExp, line?: string | RegExp]

const HERE = '["Stryker was here"]'
const TEXT_HERE = '"Stryker was here!"'

/** Of each reason: the file, and what becomes what in it; with the line if the code alone says too little. */
const REASONS: readonly (readonly [why: string, file: string, ...Mutant[]])[] = [
  // apply
  [
    'it is only there for the type: the caller has asked whether this is a patch, which has a file',
    'apply/approve-skill.ts',
    ["op.action === 'patch'", 'true', /op\.action === 'patch' && op\.newText\.includes.*/],
    ['current?.text', 'current.text'],
  ],
  [
    'it is switched while the module loads; the test of a second approval sees it otherwise',
    'apply/approve-skill.ts',
    [/\(\{ op, current \}: SkillPlan\).*/s, '() => undefined'],
  ],
  [
    'a new skill has no file now and had none then, which compares as equal',
    'apply/approve-skill.ts',
    ["op.action === 'create'", 'false'],
    ["'create'", '""'],
  ],
  ['the queue holds no proposal without an operation', 'apply/approve-skill.ts', ['op === undefined', 'false'], ["'empty'", '""']],
  ['all fields of what is shown are taken over, its entries among them', 'apply/ask-gate.ts', ['{ entries: shown.entries }', '{}']],
  ['only a host and a person are told apart', 'apply/corroborate.ts', ["'review'", '""']],
  [
    'a text in the place of facts, entries or a proposal has no field that is looked at',
    'apply/corroborate.ts',
    ['[]', HERE, "if (actor === 'host' || actor === 'person') return []"],
    ['[]', HERE, 'return facts?.ok ? facts.value : []'],
    ['[]', HERE, 'const origins = [...(deps.store.origins?.(target) ?? [])]'],
    ['[]', HERE, 'const facts = same.length > 0 ? await readFacts(target, deps) : []'],
    ['[]', HERE, 'const [waiting, ...more] = held.target === target ? held.ops : []'],
    ['[]', HERE, "const listed = (await guarded(deps, 'read pending', () => waiting.list())) ?? []"],
  ],
  [
    'saves reading or comparing: additions take no entry away, and nothing is among none',
    'apply/corroborate.ts',
    [/.*/, /false|\(\) => undefined|""/, "if (group.every(({ op }) => op.action === 'add')) return undefined"],
    ['pinned.size === 0', 'false'],
    ['same.length > 0', 'true'],
    ['same.length > 0', 'same.length >= 0'],
  ],
  [
    'it is only there for the type: a proposal for a skill settles no other, and none is without an operation',
    'apply/corroborate.ts',
    ["held.target === 'skill'", 'false'],
    ["'skill'", '""'],
    ['op === undefined', 'false'],
  ],
  [
    'no entry gives way to a removal, and the journal refuses a record without a text',
    'apply/corroborate.ts',
    ["op.action === 'remove'", 'false', "if (op.action === 'remove') return"],
    ["'remove'", '""', "if (op.action === 'remove') return"],
  ],
  [
    'each proposal has its verdict',
    'apply/dispose-proposal.ts',
    [/\{ verdict: 'approve', reason: '' \}|'approve'|''/, /.*/, /return \{ kind, proposal, verdict: verdicts\[index\] \?\? .*/],
  ],
  ['it is short, and no threat', 'apply/dispose-proposal.ts', ["''", TEXT_HERE, /const textOf = .*/]],
  [
    'a text in the place of a verdict has no origin',
    'apply/dispose-proposal.ts',
    ['[]', HERE, /if \(oversize\) .*/],
    ['[]', HERE, /if \(credential !== undefined\) .*/],
    ['[]', HERE, /if \(pinned !== undefined\) return ok.*/],
    ['[]', HERE, /if \(missing\) .*/],
    ['[]', HERE, 'await fail(group, answers.error, [], deps)'],
  ],
  ['all that is no hold is a rejection', 'apply/dispose-proposal.ts', ["'reject'", '""']],
  ['no error of another kind names such a cause', 'apply/dispose-proposal.ts', ["code === 'capped'", 'true']],
  ['a comparison with undefined is false', 'apply/dispose-proposal.ts', ["typeof charLimit === 'number'", 'true']],
  [
    'a default for the outcome of stores without facts, in a write that gave way to none',
    'apply/dispose-proposal.ts',
    ['[]', HERE, 'const { previous, facts = [] } = applied.value'],
  ],
  ['the gate was asked with a context, so there is one', 'apply/dispose-skill.ts', ['[]', HERE, /corrects: isCorrection.*/]],
  ['only what is unattended, or a person, is told apart', 'apply/dispose-skill.ts', ["'attended'", '""']],
  [
    'to hold it is what this function does; of the verdict, it records reason and origin',
    'apply/dispose-skill.ts',
    ["'hold'", '""', /.*describeUnwritten.*|if \(hiding .*/],
  ],
  ['no word ends with a full stop', 'apply/merge-groups.ts', [/.*\(\?=\\s\|\$\).*/, /.*\(\?=\\s\)\|.*/]],
  ['only an entry that was found has an index', 'apply/merge-groups.ts', ["location.kind === 'found'", 'true']],
  ['an operation without a text is no shorter or longer than any limit', 'apply/skill-permission.ts', ['[]', HERE, /const textsOf = .*/]],
  ['what it is compared with holds nothing that is refused', 'apply/skill-permission.ts', ["''", TEXT_HERE, /.*refuseNewSkillText.*/]],
  [
    'a skill of the home hides those of its name from the list, and a name of the home cannot be taken again',
    'apply/skill-permission.ts',
    ["op.action !== 'create'", 'false'],
    ['shared.sharedFrom !== undefined', 'true'],
  ],
  ['what the home lacks is a shared one if it is anywhere', 'apply/skill-plan.ts', ['seen.value.sharedFrom !== undefined', 'true']],
  ['it is only there for the type: no other operation names an absorber', 'apply/skill-plan.ts', ["op.action !== 'archive'", 'false']],
  // propose
  ['a review of skills always shows them', 'propose/model-proposer.ts', ["''", TEXT_HERE, /const \{ mode, kind = 'memory', .*/]],
  [
    'it leaves the conversation a few tokens less',
    'propose/model-proposer.ts',
    ["''", TEXT_HERE, "const frame = digestRequest('', parts)"],
  ],
  [
    'each proposal for a skill that was read has an object as its operation',
    'propose/model-proposer.ts',
    [/typeof op === 'object'.*|op !== null/, /true|.* \|\| .*/, /const action: unknown = .*/],
  ],
  [
    'once the time is over, a second call fails with the same error before the model is called',
    'propose/model-proposer.ts',
    ["first.proposals.error.code === 'timeout'", 'false'],
    ["'timeout'", '""', /if \(first\.proposals\.ok .*/],
  ],
  ['there is nothing after the end of a text', 'propose/parse-proposals.ts', ['at < text.length', 'at <= text.length']],
  ['it returns nothing all the same', 'propose/parse-proposals.ts', [/\{\s+return undefined\s+\}/, '{}']],
  [
    'the same text is no more valid, and no text is JSON whose brackets do not close',
    'propose/parse-proposals.ts',
    ['escaped === text', 'false'],
    ['end === undefined', 'false'],
    ['end !== undefined', 'true'],
  ],
  [
    'it is only there for the type: what begins with a bracket is an object or a list',
    'propose/parse-proposals.ts',
    [/typeof value !== 'object'.*|value === null/, /false|.* && .*/, "if (typeof value !== 'object' || value === null) return undefined"],
  ],
  ['it is a limit of work: words before a list are shorter', 'propose/parse-proposals.ts', ['text.slice(start, start + 10_000)', 'text']],
  [
    'there is nothing before the start of a text, and the tries are counted',
    'propose/parse-proposals.ts',
    ['start >= 0', 'true', /for \(let tries = 0; .*/],
  ],
  ['there is always a text', 'propose/parse-proposals.ts', ["''", TEXT_HERE, "const last = texts[0] ?? ''"]],
  [
    'it is room to spare: each part is counted with a line feed, and the last of them has none',
    'propose/skill-shelf.ts',
    [/\[\]|''/, /.*Stryker was here.*/, /const heading = .*/],
    [/countUnits\(describeLibrary.*/, /.* - 1/s, /const heading = .*/],
    ['units > left', 'units >= left'],
  ],
  [
    'the aim is missed by some units; the budget is kept elsewhere',
    'propose/transcript.ts',
    [/countUnits\(message\.prefix\).*/, /.* - 1/, /const unitsAt = .*/],
  ],
  ['it is only there for the type', 'propose/transcript.ts', ['!message', 'false']],
  ['leaves one unit more than there is need of', 'propose/transcript.ts', ['used + reserve > budget', 'used + reserve >= budget']],
  // review
  [
    'what is invalid has an issue',
    'review-and-learn.ts',
    ['[]', HERE, 'const [issue] = parsed.error?.issues ?? []'],
    ['parsed.error?.issues', 'parsed.error.issues'],
  ],
  [
    'it is only there for the type: a skill is in no merge, so it has no further parts',
    'review-and-learn.ts',
    [/proposal\.target === 'skill'.*|'skill'/, /false|""|.* && .*/, "if (proposal.target === 'skill' || parts.length === 0) {"],
  ],
  [
    'saves asking for the context: without two changes, one of them a replace, there is no merge',
    'review-and-learn.ts',
    [/proposals\.filter.*/, 'proposals', /const changes = .*/],
    [/op\.action === 'replace' \|\| .*/, 'true', /const changes = .*/],
    [/changes\.length < 2.*/, /false|.*&&.*/s, /if \(changes\.length < 2 .*/],
    ["op.action === 'replace'", 'true', /if \(changes\.length < 2 .*/],
  ],
  ['what is neither applied nor failed is rejected', 'review-and-learn.ts', ["'rejected'", '""', /results\.push.*/]],
  [
    'there are two stores, and what is parsed is there',
    'own-words-pass.ts',
    ['[]', HERE, /return \{ memory: memory \?\? .*/],
    ['parsed?.success', 'parsed.success'],
  ],
]

export const REVIEW: readonly AcceptedMutant[] = REASONS.flatMap(([why, file, ...mutants]) =>
  mutants.map(([code, becomes, line]) => ({ file: `review/${file}`, code, becomes, why, ...(line === undefined ? {} : { line }) })),
)
