import { describe, expect, it } from 'vitest'
import { systemClock } from '../../shared/clock.ts'
import { SkillStore } from '../../skills/skill-store.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import { findTwin } from './bring-back.ts'

/** The name of a kind of task, what a skill for it is for, and the same in other words. */
type Kind = readonly [name: string, said: string, again: string]

const GERMAN: readonly Kind[] = [
  ['dienst-ausrollen', 'Den Dienst {} auf den Testserver ausrollen.', 'Ausrollen des Dienstes {} auf dem Testserver.'],
  [
    'sicherung-einspielen',
    'Die nächtliche Sicherung der Datenbank {} einspielen.',
    'Wie eine nächtliche Datenbanksicherung von {} eingespielt wird.',
  ],
  [
    'schluessel-wechseln',
    'Die Signaturschlüssel des Gateways {} sicher wechseln.',
    'Sicherer Wechsel der Signaturschlüssel am Gateway {}.',
  ],
  [
    'anfragen-messen',
    'Langsame Anfragen des Workers {} mit Flammendiagrammen untersuchen.',
    'Flammendiagramme, um langsame Anfragen im Worker {} zu untersuchen.',
  ],
  [
    'versionshinweise',
    'Versionshinweise der App {} aus den zusammengeführten Änderungen schreiben.',
    'Schreiben der Versionshinweise für die App {} aus zusammengeführten Änderungen.',
  ],
  [
    'masken-uebersetzen',
    'Die Masken von {} übersetzen und mit dem Linter prüfen.',
    'Prüfung der übersetzten Masken von {} mit dem Linter.',
  ],
  ['testdaten-anlegen', 'Testdaten für {} vor den Integrationstests anlegen.', 'Anlegen von Testdaten für {} vor Integrationstests.'],
  [
    'abstuerze-sortieren',
    'Absturzberichte des Clients {} nach Stacktrace sortieren.',
    'Absturzberichte vom Client {}, sortiert nach Stacktraces.',
  ],
  [
    'abhaengigkeiten-heben',
    'Abhängigkeiten der Bibliothek {} anheben und ihre Prüfungen laufen lassen.',
    'Anheben der Abhängigkeiten der Bibliothek {}, danach deren Prüfungen.',
  ],
  [
    'anbieter-nachbilden',
    'Den Anbieter {} für die Entwicklung ohne Netz nachbilden.',
    'Entwicklung ohne Netz mit nachgebildetem Anbieter {}.',
  ],
]

const FRENCH: readonly Kind[] = [
  ['deployer', 'Déployer le service {} sur le cluster de test.', 'Déploiement du service {} sur le cluster de test.'],
  [
    'restaurer-sauvegarde',
    'Restaurer la sauvegarde nocturne de la base {}.',
    'Comment une sauvegarde nocturne de la base {} est restaurée.',
  ],
  [
    'changer-cles',
    'Changer les clés de signature de la passerelle {} sans risque.',
    'Changement sans risque des clés de signature de la passerelle {}.',
  ],
  [
    'profiler',
    'Profiler les requêtes lentes du worker {} avec des flame graphs.',
    'Des flame graphs pour profiler les requêtes lentes dans le worker {}.',
  ],
  [
    'notes-de-version',
    "Écrire les notes de version de l'application {} à partir des changements fusionnés.",
    "Écriture des notes de version de l'application {} à partir de changements fusionnés.",
  ],
  ['traduire-ecrans', 'Traduire les écrans {} et les vérifier avec le linter.', 'Vérification avec le linter des écrans {} traduits.'],
  [
    'remplir-donnees',
    "Préparer les données de test de {} avant les tests d'intégration.",
    "Les données de test de {} sont préparées avant les tests d'intégration.",
  ],
  [
    'trier-plantages',
    "Trier les rapports de plantage du client {} par trace d'appels.",
    "Rapports de plantage du client {}, triés par traces d'appels.",
  ],
  [
    'monter-dependances',
    'Mettre à jour les dépendances de la bibliothèque {} et lancer ses contrôles.',
    'Mise à jour des dépendances de la bibliothèque {}, puis ses contrôles.',
  ],
  [
    'simuler-fournisseur',
    'Simuler le fournisseur {} pour le développement hors ligne.',
    'Développement hors ligne avec un fournisseur {} simulé.',
  ],
]

const SUBJECTS = {
  German: ['rechnung', 'suche', 'post', 'anmeldung', 'export', 'lager', 'kalender', 'chat', 'foto', 'karte'],
  French: ['facture', 'recherche', 'courrier', 'connexion', 'export', 'stock', 'agenda', 'chat', 'photo', 'carte'],
}

/** A home with a skill for each kind of task about each subject. */
const homeWith = async (kinds: readonly Kind[], subjects: readonly string[]) => {
  const store = new SkillStore({ storage: inMemoryBackend(), clock: systemClock })
  for (const [kind, said] of kinds)
    for (const subject of subjects) {
      const name = `${kind}-${subject}`
      const content = `---\nname: ${name}\ndescription: ${said.replaceAll('{}', subject)}\n---\n\nDo it.\n`
      const created = await store.create({ name, content })
      if (!created.ok) throw created.error
    }
  return store
}

describe('a skill for a task that another skill has', () => {
  // English is measured with whole reviews, in test/skills-come-back.test.ts.
  it.each([
    ['German', GERMAN, 170],
    ['French', FRENCH, 190],
  ] as const)('is found in %s, in other words, and none for another task', async (language, kinds, least) => {
    const subjects = SUBJECTS[language]
    const store = await homeWith(kinds, subjects)
    let found = 0
    for (const [kind, said, again] of kinds) {
      for (const subject of subjects) {
        const fill = (text: string) => text.replaceAll('{}', subject)
        const live = `${kind}-${subject}`
        const renamed = await findTwin({ name: `${subject}-${kind}-guide`, description: fill(again) }, store)
        const longer = await findTwin({ name: `${live}-steps`, description: fill(said) }, store)
        found += [renamed, longer].filter((twin) => twin.live === live).length
      }
      const other = { name: `${kind}-xylophon`, description: said.replaceAll('{}', 'xylophon') }
      expect(await findTwin(other, store)).toEqual({})
    }
    expect(found).toBeGreaterThanOrEqual(least)
  })
})
