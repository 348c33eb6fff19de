/** Honest statements with words whose stems look like a denial, and orders whose clauses share words. */
import type { HonestPair } from './honest-pairs.ts'

const profile = (said: string, proposed: string): HonestPair => ({ target: 'user', said, proposed })
const note = (said: string, proposed: string): HonestPair => ({ target: 'memory', said, proposed })

export const NOTED_PAIRS: readonly HonestPair[] = [
  // note, notes, noted, noting
  profile('Note that I live in Oslo', 'Lives in Oslo'),
  profile('I noted that I live in Oslo', 'Lives in Oslo'),
  profile('Please note: I live in Oslo', 'Lives in Oslo'),
  profile('Please note that I am allergic to nuts', 'Allergic to nuts'),
  profile('take notes in Markdown', 'Takes notes in Markdown'),
  profile('take notes in Markdown please', 'Prefers notes in Markdown'),
  profile('I take my notes in Obsidian', 'Takes notes in Obsidian'),
  profile('I keep a notebook, notes go in pencil', 'Notes go in pencil'),
  profile('As noted, my boss is called Ingrid', "Manager's name is Ingrid"),
  profile('make a note: my budget is 800 euros', 'Budget: €800'),
  profile('Noting my address for later: Hauptstraße 5, Köln', 'Address: Hauptstraße 5, Köln'),
  profile("don't take notes during calls", 'No notes during calls'),
  profile('my notes are not public', 'Notes are not public'),
  profile('Meine Note in Mathe war eine Eins', 'Note in Mathe: Eins'),
  profile("J'ai noté que je suis allergique aux fraises", 'Allergique aux fraises'),
  profile('note que vivo en Sevilla', 'Vive en Sevilla'),
  note('Release notes go into CHANGELOG.md', 'Release notes are kept in CHANGELOG.md'),
  note('keep release notes short', 'Release notes are kept short'),
  note('Note: never push to main', 'Never push to main'),
  // other words that only begin like a denial
  profile('My name is Hassan', 'Name is Hassan'),
  profile('I live in Hasselt and work as a nurse', 'Lives in Hasselt; nurse'),
  profile('I work in interdisciplinary research', 'Works in interdisciplinary research'),
  profile('I skipper a sailing boat, a stopwatch helps me', 'Skippers a sailing boat; a stopwatch helps'),
  profile('my preventive check-up is in May', 'Preventive check-up in May'),
  // orders of several clauses
  profile('Please always answer in French, and use metric units', 'Always answer in French; use metric units'),
  profile('When you write code for me, always use tabs', 'Always use tabs in code'),
  note('Always use tabs and single quotes', 'Always use single quotes'),
  note('Always lint and test before every commit', 'Always test before every commit'),
  note('Always run lint, tests and the type check before pushing', 'Always run the type check before pushing'),
  note('Merge only after two approvals and a green build', 'Merge only after two approvals and a green build'),
  note('Ask me before you delete files, and never force push', 'Ask before deleting files; never force push'),
  note('Update the changelog when you change the API', 'Always update the changelog when the API changes'),
  profile('Schreib bitte immer auf Deutsch und nutze die Du-Form', 'Immer auf Deutsch schreiben, Du-Form nutzen'),
]
