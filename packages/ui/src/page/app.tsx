/** The frame around the screens. */
import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import { KeysDialog } from './parts/keys-dialog.tsx'
import { LoopPicture } from './parts/loop-picture.tsx'
import { JobBar, MessagesList } from './parts/messages-list.tsx'
import { OwnerPicker } from './parts/owner-picker.tsx'
import { Empty } from './parts/small-parts.tsx'
import { Inbox } from './screens/inbox.tsx'
import { Ledger } from './screens/ledger.tsx'
import { Overview } from './screens/overview.tsx'
import { Prompt } from './screens/prompt.tsx'
import { Skills } from './screens/skills.tsx'
import { Timeline } from './screens/timeline.tsx'
import { Why } from './screens/why.tsx'
import { about } from './state/about.ts'
import { owner, signedOut } from './state/api.ts'
import { useKeys } from './state/keys.ts'
import { go, hashOf, route, SCREENS, type Screen } from './state/route.ts'

const VIEWS: Readonly<Record<Screen, ComponentType>> = {
  overview: Overview,
  inbox: Inbox,
  prompt: Prompt,
  why: Why,
  timeline: Timeline,
  skills: Skills,
  ledger: Ledger,
}

const NAMES: Readonly<Record<Screen, string>> = {
  overview: 'Overview',
  inbox: 'Inbox',
  prompt: 'Prompt',
  why: 'Why',
  timeline: 'Timeline',
  skills: 'Skills',
  ledger: 'Ledger',
}

const focusSearch = (): void => document.querySelector<HTMLInputElement>('main input[type=search]')?.focus()

const Navigation = () => (
  <nav aria-label="Screens">
    <ul>
      {SCREENS.map((screen, index) => (
        <li key={screen}>
          <a href={hashOf(screen)} aria-current={route.value.screen === screen ? 'page' : undefined} title={`Key ${index + 1}`}>
            {NAMES[screen]}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

export const App = () => {
  const { screen } = route.value
  const View = VIEWS[screen]
  const [helped, setHelped] = useState(false)
  const { manyOwners = false, write = false, label } = about.value ?? {}
  useKeys({
    ...Object.fromEntries(SCREENS.map((each, index) => [String(index + 1), () => go(each)])),
    '/': focusSearch,
    '?': () => setHelped(true),
  })
  if (signedOut.value !== undefined) {
    return (
      <main class="alone">
        <h1>Hermes</h1>
        <p role="alert">{signedOut.value}</p>
      </main>
    )
  }
  const ready = about.value !== undefined && (!manyOwners || owner.value !== undefined)
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        To the content
      </button>
      <header class="top">
        <p class="brand">
          Hermes <span class="quiet">{label ?? ''}</span> <span class="tag">{write ? 'can write' : 'read only'}</span>
        </p>
        {manyOwners ? <OwnerPicker /> : null}
        <Navigation />
        <button type="button" class="keys plain" aria-label="Keys" title="Key ?" onClick={() => setHelped(true)}>
          ?
        </button>
        <LoopPicture />
      </header>
      <JobBar />
      <main id="main" tabIndex={-1}>
        {ready ? <View key={`${screen} ${JSON.stringify(owner.value)}`} /> : manyOwners ? <Empty>Nobody has a home here yet.</Empty> : null}
      </main>
      <MessagesList />
      {helped ? <KeysDialog screens={SCREENS.length} onClose={() => setHelped(false)} /> : null}
    </>
  )
}
