/**
 * What a competent reviewer learns from a sentence, by the sentence itself: its subject and the entry to store. The scripted reviewer knows nothing else about the
 * scenarios and uses a sentence only if the request contains it.
 */
import type { MemoryTarget } from '@hermes/core'
import { readLines } from '../read-lines.ts'

/** The meaning of a sentence. */
export interface Meaning {
  readonly target: MemoryTarget
  /** Two statements about the same subject contradict each other. */
  readonly about: string
  /** `undefined` if the sentence retracts a statement. */
  readonly entry: string | undefined
}

/** A sentence that occurs once. */
export type Literal = readonly [says: string, target: MemoryTarget, about: string, entry: string | undefined]

/** Many sentences of one form. An entry is `topic: statement`; several statements of one topic can form one entry, separated by `; `. */
export interface SentenceForm {
  /** Matches the statement in a sentence and in an entry. */
  readonly says: RegExp
  readonly target: MemoryTarget
  readonly topic: string
  /** Subject and statement; without a statement, the sentence retracts one. */
  readonly read: (...groups: readonly string[]) => readonly [about: string, statement: string | undefined]
}

interface Line {
  readonly by: 'user' | 'agent'
  readonly says: string
  readonly target: MemoryTarget
  readonly about: string
  /** Absent if the sentence retracts a statement. */
  readonly entry?: string
}

const literalsOf = (speaker: Line['by']): readonly Literal[] =>
  readLines<Line>(new URL('sentences.jsonl', import.meta.url))
    .filter(({ by }) => by === speaker)
    .map(({ says, target, about, entry }) => [says, target, about, entry])

export const LITERALS = literalsOf('user')

/** Sentences of the agent, with or without a tool. */
export const FROM_AGENT = literalsOf('agent')

/** Sentences of the agent after a tool. */
export const FORMS_FROM_AGENT: readonly SentenceForm[] = [
  {
    says: /\bunit (k\d+) draws (\d+) watts from circuit (\d+)/,
    target: 'memory',
    topic: 'Power',
    read: (unit, watts, circuit) => [`power of ${unit}`, `unit ${unit} draws ${watts} watts from circuit ${circuit}`],
  },
]

/** For the scenarios with more facts than the stores can hold. */
export const FORMS: readonly SentenceForm[] = [
  {
    says: /\b(\w+) takes care of ([\w ]+?)(?: at our workshop)? and sits at desk (\d+)/,
    target: 'memory',
    topic: 'Workshop',
    read: (who, task, desk) => [`care of ${task}`, `${who} takes care of ${task} and sits at desk ${desk}`],
  },
  {
    says: /\b[Tt]he ([\w ]+) lies on shelf (\d+)(?: of the store room)?, behind (\d+) boxes/,
    target: 'memory',
    topic: 'Store room',
    read: (what, shelf, boxes) => [`shelf of ${what}`, `the ${what} lies on shelf ${shelf}, behind ${boxes} boxes of paper`],
  },
  {
    says: /\b(?:[Mm]y )?(\w+) needs (\d+) minutes(?: on our stove)? and then (\d+) minutes of rest/,
    target: 'user',
    topic: 'Cooking times',
    read: (dish, minutes, rest) => [`time of ${dish}`, `${dish} needs ${minutes} minutes and then ${rest} minutes of rest`],
  },
  {
    says: /\b(?:Our server )?(\w+) has (\d+) GB of memory and stands in rack (\d+)/,
    target: 'memory',
    topic: 'Servers',
    read: (server, size, rack) => [`memory of ${server}`, `${server} has ${size} GB of memory and stands in rack ${rack}`],
  },
  {
    says: /\b[Ii]n bed (\d+)(?: of my garden)? grows (\w+), sown in week (\d+)/,
    target: 'user',
    topic: 'Garden',
    read: (bed, plant, week) => [`bed of ${plant}`, `in bed ${bed} grows ${plant}, sown in week ${week}`],
  },
  {
    says: /\b(?:The supplier )?(\w+) delivers within (\d+) days and wants (\d+) percent/,
    target: 'memory',
    topic: 'Suppliers',
    read: (supplier, days, share) => [
      `delivery of ${supplier}`,
      `${supplier} delivers within ${days} days and wants ${share} percent at once`,
    ],
  },
  {
    says: /\b(?:Our choir sings )?the (\w+) in bar (\d+) too fast and page (\d+) too loud/,
    target: 'memory',
    topic: 'Choir sings',
    read: (piece, bar, page) => [`choir ${piece}`, `the ${piece} in bar ${bar} too fast and page ${page} too loud`],
  },
  {
    says: /\bOur choir no longer sings the (\w+) too fast/,
    target: 'memory',
    topic: 'Choir sings',
    read: (piece) => [`choir ${piece}`, undefined],
  },
  {
    says: /\b(?:The meeting room )?(\w+) seats (\d+) people and has (\d+) metres of cable/,
    target: 'memory',
    topic: 'Meeting rooms',
    read: (room, seats, metres) => [`seats of ${room}`, `${room} seats ${seats} people and has ${metres} metres of cable`],
  },
  {
    says: /\b(?:[Mm]y walk )?over (\w+) takes (\d+) minutes and passes (\d+) old windmills/,
    target: 'user',
    topic: 'Walks',
    read: (hill, minutes, mills) => [`walk over ${hill}`, `over ${hill} takes ${minutes} minutes and passes ${mills} old windmills`],
  },
  {
    says: /\b(?:I learned to play )?(\w+ number \d+) (?:when I was|at) (\d+), from a teacher of (\d+)/,
    target: 'user',
    topic: 'Learned to play',
    read: (piece, age, teacher) => [`learned ${piece}`, `${piece} at ${age}, from a teacher of ${teacher}`],
  },
]
