/** Starts the page. */
import { render } from 'preact'
import type { AboutView } from '../api/views.ts'
import { App } from './app.tsx'
import { about } from './state/about.ts'
import { get, owner } from './state/api.ts'
import { followHome } from './state/live.ts'
import { tellFailure } from './state/messages.ts'

const place = document.getElementById('app')
if (place) render(<App />, place)

followHome(() => about.value !== undefined && (!about.value.manyOwners || owner.value !== undefined))

get<AboutView>('about').then((view) => {
  about.value = view
}, tellFailure)
