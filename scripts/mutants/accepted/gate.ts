import type { AcceptedMutant } from './accepted-mutant.ts'

const AHEAD = 'Reading ahead and remembering only spread the work: the judgement reads what was not read.'
const FASTER = 'Only narrows what is compared: the comparison that follows decides the same.'

export const GATE: readonly AcceptedMutant[] = [
  { file: 'gate/judge-evidence.ts', line: 'normalisedMessage(message)', code: 'normalisedMessage(message)', becomes: ';', why: AHEAD },
  { file: 'gate/judge-evidence.ts', line: /if \(message\.origin !== 'tool'\) yield\*.*/, code: /.*/s, becomes: /.*/s, why: AHEAD },
  { file: 'gate/judge-evidence.ts', line: /if \(normalised\.has\(transcript\)\) return true/, code: /.*/s, becomes: /.*/s, why: AHEAD },
  { file: 'gate/judge-evidence.ts', line: 'normalised.add(transcript)', code: /.*/, becomes: ';', why: AHEAD },
  { file: 'gate/judge-evidence.ts', line: 'if (before !== undefined) return before', code: /.*/, becomes: 'false', why: AHEAD },
  { file: 'gate/judge-evidence.ts', line: 'alreadyRead.set(transcript, isRead)', code: /.*/, becomes: ';', why: AHEAD },
  {
    file: 'gate/judge-evidence.ts',
    line: /const judged = isRead \? .*/,
    code: 'transcript.length > 0',
    becomes: /.*/,
    why: 'Decides where the work is counted; a single judgement has the same limit either way.',
  },
  {
    file: 'gate/judge-memory.ts',
    line: 'if (dropped.length === 0) return false',
    code: 'dropped.length === 0',
    becomes: 'false',
    why: 'None of no tokens is unmentioned.',
  },
  {
    file: 'gate/judge-skill.ts',
    line: /const messageOf = .*/,
    code: "'tool'",
    becomes: '""',
    why: 'Only the text of these messages is compared.',
  },
  {
    file: 'gate/judge-skill.ts',
    line: 'if (notes?.length === 0) return false',
    code: /.*/,
    becomes: 'false',
    why: 'Nothing repeats one of no notes.',
  },
  {
    file: 'gate/judge-skill.ts',
    line: /.*current \?\? ''.*/,
    code: "''",
    becomes: '"Stryker was here!"',
    why: 'A skill of these words, instead of none, names no address and no command.',
  },
  { file: 'gate/own-sentences.ts', line: 'if (before) return before', code: 'before', becomes: 'false', why: AHEAD },
  { file: 'gate/own-sentences.ts', line: 'known.set(message, own)', code: /.*/, becomes: ';', why: AHEAD },
  { file: 'gate/own-sentences.ts', line: 'if (unread < STEP_CHARS) continue', code: /.*/, becomes: /.*/, why: AHEAD },
  {
    file: 'gate/skill-text.ts',
    line: "if (op.action === 'archive' || op.action === 'remove_file') return undefined",
    code: /.*/,
    becomes: /false|""|.* && .*/,
    why: 'These operations have no content, so the text is undefined either way.',
  },
  {
    file: 'gate/skill-text.ts',
    line: "if (added === '') return undefined",
    code: /.*/,
    becomes: /false|"Stryker was here!"/,
    why: 'An empty text has no credential and no threat.',
  },
  {
    file: 'gate/skill-wishes.ts',
    line: 'if (dropped.length === 0) return true',
    code: 'dropped.length === 0',
    becomes: 'false',
    why: 'All of no lines are requested.',
  },
  { file: 'gate/trace-skill.ts', line: /const rarest = .*/, code: /.*/, becomes: /.*/, why: FASTER },
  {
    file: 'gate/trace-skill.ts',
    line: /return rarest\.slice.*/,
    code: 'rarest.slice(0, MOST_CANDIDATES)',
    becomes: 'rarest',
    why: 'The limit on work ends the comparison as well.',
  },
  {
    file: 'gate/trace-skill.ts',
    line: "const keyOf = (clause: string): string => clause.replace(/[.!?]+$/, '').toLowerCase()",
    code: /.*toLowerCase\(\)/,
    becomes: /.*toUpperCase\(\)/,
    why: 'Both ignore the case.',
  },
]
