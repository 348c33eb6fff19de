import { providerConformance } from '../src/index.ts'
import { wordProvider } from './word-provider.ts'

providerConformance('words', () => ({ provider: wordProvider() }))
providerConformance('one that only listens', () => ({ provider: { name: 'ears', initialize: () => ({ syncTurn: async () => {} }) } }), {
  recalls: false,
  forgets: false,
})
