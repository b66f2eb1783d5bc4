import type { Medication } from '#domain/dispensing/medication-view.ts'
import { paths } from '#domain/paths.ts'
import { useState } from 'react'
import { useFetcher, useNavigation } from 'react-router'
import type { RefillQuestion } from './Medications.tsx'
import type { PrescriptionView } from './PrescriptionCard.tsx'
import { useRefetchOnReturn } from './use-refetch-on-return.ts'

/** What My Prescriptions shows. */
export type PrescriptionList = {
  isSignedIn: boolean
  /** Whose list it is; empty when signed out, or when nothing could be loaded. */
  userId: string
  /** Null when signed out, or when the list could not be loaded. */
  prescriptions: PrescriptionView[] | null
  medications: Medication[]
  /** Whether the customer wants an email when a refill opens. */
  hasReminders: boolean
  /** What to choose for the refill that the customer asked for. */
  refill: RefillQuestion | null
  /** Names the next message to the pharmacy. */
  messageKey: string
}

/** Without a session, or when nothing could be loaded. */
export const emptyList: PrescriptionList = {
  isSignedIn: false,
  userId: '',
  prescriptions: null,
  messageKey: '',
  medications: [],
  hasReminders: false,
  refill: null,
}

/**
 * The most recent list, from the page or from a reload, which happens whenever the customer returns
 * to the page. Not through the page's loader: a failure there would replace the page with an error.
 */
export function useRefreshedList(loaded: PrescriptionList) {
  const fetcher = useFetcher<PrescriptionList>()
  const isBusy = useNavigation().state !== 'idle'
  const reload = (): Promise<void> => fetcher.load(paths.prescriptions)
  useRefetchOnReturn(async () => {
    // A visitor's list would replace the form that waits for the sign-in (`SignInAgain`).
    if (!isBusy && !document.getElementById('login-again')) await reload()
  })
  const [snapshot, setSnapshot] = useState({
    loaded,
    fetched: fetcher.data,
    shown: loaded,
    lastLoaded: loaded.prescriptions,
    medications: loaded.medications,
  })
  if (loaded !== snapshot.loaded || fetcher.data !== snapshot.fetched) {
    const shown = (loaded === snapshot.loaded ? fetcher.data : loaded) ?? loaded
    const lastLoaded = shown.isSignedIn ? (shown.prescriptions ?? snapshot.lastLoaded) : null
    const medications = shown.isSignedIn && !shown.prescriptions ? snapshot.medications : shown.medications
    setSnapshot({ loaded, fetched: fetcher.data, shown, lastLoaded, medications })
  }
  const { shown, lastLoaded, medications } = snapshot
  return { ...shown, lastLoaded, medications, reload, isReloading: fetcher.state !== 'idle' }
}
