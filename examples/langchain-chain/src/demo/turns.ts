/** What the person says in the demo: ten turns, so that the review of the tenth falls due. */

export const TEN_TURNS: readonly string[] = [
  'hello',
  'my name is Ada Lovelace',
  'nice weather today',
  'I prefer tabs over spaces',
  'what can you do?',
  'we deploy with Kamal',
  'go on',
  'I live in Oslo',
  'interesting',
  'thanks, that is all',
]

export const QUESTION = 'what do you remember?'
