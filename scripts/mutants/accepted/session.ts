import type { AcceptedMutant } from './accepted-mutant.ts'
import { toAccepted } from './to-accepted.ts'

export const SESSION: readonly AcceptedMutant[] = toAccepted('session', [
  [
    'turns that the marks count as read are dropped when they are saved',
    'create-session-store.ts',
    ['before.slice(-sinceReview)', 'before'],
    ['record.userTurns - record.asked.turns', 'record.userTurns + record.asked.turns'],
    ['sinceReview > 0', 'sinceReview >= 0'],
    ['sinceReview > 0', 'true'],
  ],
  [
    'no turns add nothing to the counts',
    'create-session-store.ts',
    ['before.length > 0', 'before.length >= 0'],
    ['before.length > 0', 'true'],
  ],
  [
    'nothing is saved any more, so nothing of it is read',
    'create-session-store.ts',
    ['[]', '["Stryker was here"]', 'finished = []'],
    ['[]', '["Stryker was here"]', 'unkept = []'],
    ['[]', '["Stryker was here"]', 'waiting = []'],
  ],
  ['the change of the document looks for it too', 'create-session-store.ts', ['forgotten', 'false', 'if (forgotten) return ok(NOTHING)']],
  [
    'the change sets it before it is read',
    'create-session-store.ts',
    ['false', 'true', 'let isGone = false'],
    ['false', 'true', 'let tainted = false'],
  ],
  ['the change sets it before it is read', 'load-record.ts', ['false', 'true', 'let isOurs = false']],
  ['a key that is undefined is left out of the document', 'create-session-store.ts', ['turnKey === undefined', 'false']],
  [
    'only saves the work of matching turns that have no texts',
    'recalled-turns.ts',
    ['({ texts }) => texts.length === 0', '() => undefined'],
    ['texts.length === 0', 'false'],
    ['turns.every(({ texts }) => texts.length === 0)', 'false'],
  ],
  [
    'a block without the text comes out as it was',
    'record-redaction.ts',
    ['!redaction.matches(block) && !redaction.matches(unquoted(block))', 'false'],
  ],
  [
    'the default is only there for the type',
    'record-redaction.ts',
    ["''", '"Stryker was here!"', "const [before = '', ...parts] = block.split(HEADING)"],
    ["''", '"Stryker was here!"', "const [heading = '', body = ''] = parts.slice(index, index + 2)"],
  ],
  ['one more round has neither a heading nor a body', 'record-redaction.ts', ['index < parts.length', 'index <= parts.length']],
  ['a text that does not match is not cut', 'record-redaction.ts', ['!redaction.matches(redacted)', 'false']],
  [
    'no text to erase is in that name',
    'record-redaction.ts',
    ['[]', '["Stryker was here"]', 'messages.some(({ text, toolNames = [] }) => matches(text) || toolNames.some(matches))'],
  ],
  [
    'a name has no line break, and only names that match have both parts',
    'session-record.ts',
    ['/^(\\d+)-(.+)$/', '/^(\\d+)-(.+)/'],
    ['[]', '["Stryker was here"]', 'const [, at, name] = /^(\\d+)-(.+)$/.exec(nameOf(copy)) ?? []'],
  ],
  ['a name that matches has both parts', 'session-record.ts', ['at !== undefined', 'true'], ['name !== undefined', 'true']],
  [
    'the spread before keeps the one that is there',
    'session-record.ts',
    ['first.loadedSkills || then.loadedSkills', 'first.loadedSkills && then.loadedSkills'],
    ['first.recalled || then.recalled', 'first.recalled && then.recalled'],
  ],
  ['the second save finds nothing to do', 'session-saver.ts', ['isQueued', 'false', 'if (isQueued) return']],
  ['two requests are never queued at once', 'session-saver.ts', ['!isQueued', 'false', 'if (!isQueued) return']],
  ['a map with entries has a first key', 'turn.ts', ['oldest !== undefined', 'true']],
  ['no turn has that key', 'turn.ts', ["''", '"Stryker was here!"', "const turn = open.get(find(prompt) ?? '')"]],
])
