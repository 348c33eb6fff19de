/** What the model is told of a call that nothing it could send differently would mend: the fact, and one advice. */

/** `code` and `details` as in `HermesError`. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

export interface Failure {
  readonly fact: string
  /** What only a person can do about it. */
  readonly tellUser?: string
}

/** What was called, in words. */
export interface FailureSubject {
  /** `Nothing was saved`. */
  readonly nothing: string
  /** `memory`. */
  readonly place: string
  /** What a switched-off option switches off, with its verb. */
  readonly off: string
  /** `call again`, or what else must not be done in this turn. */
  readonly again: string
  /** The document concerned, where the refusal names none. */
  readonly path: string
  /** Failures in other words than the common ones; `undefined` where another call can mend it. */
  readonly own: Readonly<Record<string, (path: string, refusal: Refusal) => Failure | undefined>>
}

// The errors' own words advise the person or the programmer who can mend them ("free some space and try again"): a model would obey them.
const common = ({ nothing, place, off }: FailureSubject): Readonly<Record<string, (path: string, refusal: Refusal) => Failure>> => ({
  rejected: (_, { message }) => ({ fact: /[.!?]$/.test(message) ? message : `${message}.` }),
  capped: () => ({ fact: `Too many changes of this turn failed, so ${place} stays as it is until the next turn.` }),
  disabled: () => ({ fact: `${nothing}: ${off} switched off.` }),
  gate: () => ({ fact: `${nothing}: the check that every change must pass has failed itself.` }),
  unwritable: (path) => ({
    fact: `${nothing}: this program may not write ${path}.`,
    tellUser: 'to check who owns that file and its permissions',
  }),
  no_space: () => ({ fact: `${nothing}: the disk that holds ${place} is full.`, tellUser: 'to free some space' }),
  locked: () => ({ fact: `${nothing}: another program held ${place} the whole time.`, tellUser: 'to close that program' }),
  closed: () => ({ fact: `${nothing}: ${place} was closed.` }),
  timeout: () => ({ fact: `It is not known whether this was done: ${place} did not answer in time.` }),
  io: () => ({ fact: `Nothing is known to be done: ${place} could not be reached.` }),
})

/** `undefined` for a refusal that another call can mend; its own words say how. */
export const describeFailure = (subject: FailureSubject, refusal: Refusal): string | undefined => {
  const path = refusal.details?.['path']
  const table = { ...common(subject), ...subject.own }
  const describe = Object.hasOwn(table, refusal.code) ? table[refusal.code] : undefined
  const failure = describe?.(typeof path === 'string' ? path : subject.path, refusal)
  if (!failure) return undefined
  const { fact, tellUser } = failure
  return `${fact} Do not ${subject.again} in this turn; go on with the task${tellUser === undefined ? '' : ` and tell the user ${tellUser}`}.`
}
