/**
 * Did the user ask that an entry goes? He says "forget", or that something is gone, wrong or different, and names the entry by two of its words, or names nothing
 * else. Questions ask for nothing. Modest on purpose: what is not understood waits for a person.
 */
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { expressesWish } from './change-words.ts'
import { subjectWords } from './content-words.ts'
import { forbidsVerb } from './forbidden-verb.ts'
import { normaliseText } from './normalise-text.ts'
import { type Sentence, statementsOf } from './statements.ts'
import { isTurnTainted } from './turn-taint.ts'
import { spend } from './work-limit.ts'

/** Words of the wish itself, and such as stand for an entry without saying which. */
const namesNothing: ReadonlySet<string> = subjectWords(
  'forget erase remove delete drop discard thing things stuff note entry fact rule memory remember stop esquece olvida oublie vergiss dimentica lösche borra',
)

const namedIn = ({ text }: Sentence): readonly string[] => [...subjectWords(text)].filter((word) => !namesNothing.has(word))

/** "Delete the build folder" is about files, "delete the note on the build" about memory. */
const deletes =
  /(?<!\p{L})(?:remove|delete|erase|drop|discard|apaga|apague|remova|borra|elimina|supprime|supprimez|efface|lösche|löschen|entferne|cancella|rimuovi|verwijder|удали|удалите|usuń|sil)(?!\p{L})|删除|刪除|削除|삭제|احذف|हटा/u
const saysChanged =
  /(?<!\p{L})(?:no longer|any ?more|wrong|incorrect|outdated|obsolete|out of date|not true|switched|moved|changed|replaced|migrated|stopped|quit|used to)(?!\p{L})/u
const namesMemory =
  /(?<!\p{L})(?:note|notes|entry|entries|fact|rule|memory|memories|preference|remembered?|nota|entrada|memoria|memória|mémoire|notiz|eintrag|gedächtnis|regel|regla|règle|regra|заметк\p{L}*|запис\p{L}*|памят\p{L}*)(?!\p{L})|记忆|記憶|メモ|기억|메모/u

const wishesChange = (text: string): boolean => {
  const plain = normaliseText(text)
  return expressesWish(text, 'change') && (!deletes.test(plain) || saysChanged.test(plain) || namesMemory.test(plain))
}

const asks = (sentence: Sentence, entry: ReadonlySet<string>): boolean => {
  if (forbidsVerb(sentence.text, deletes)) return false
  const named = namedIn(sentence)
  spend(100 * named.length)
  const shared = named.filter((word) => entry.has(word)).length
  if (shared === 0) return false
  if (shared >= 2 || shared === entry.size) return expressesWish(sentence.text, 'forget') || wishesChange(sentence.text)
  return shared === named.length && expressesWish(sentence.text, 'forget')
}

const ownMessages = (transcript: Transcript): Transcript => transcript.filter((message) => message.origin === 'user')

/** The message in which the user asked, or undefined. */
export const findAskedRemoval = (entry: string, transcript: Transcript): TranscriptMessage | undefined => {
  const words = subjectWords(entry)
  return ownMessages(transcript).findLast((message) => statementsOf(message).some((sentence) => asks(sentence, words)))
}

/**
 * The same for the agent's own call with the user present: wishing something gone in the last message is enough, for "forget that" names nothing, as long as no
 * text from outside stands in the turn.
 */
export const findAttendedRemoval = (entry: string, transcript: Transcript): TranscriptMessage | undefined => {
  const asked = findAskedRemoval(entry, transcript)
  if (asked !== undefined || isTurnTainted(transcript)) return asked
  const last = ownMessages(transcript).at(-1)
  const wishes =
    last &&
    statementsOf(last).some(({ text }) => (expressesWish(text, 'forget') || expressesWish(text, 'change')) && !forbidsVerb(text, deletes))
  return wishes ? last : undefined
}
