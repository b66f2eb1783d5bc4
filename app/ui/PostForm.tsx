import { useEffect, useState, type ComponentProps } from 'react'
import { Form, useNavigation, useSubmit } from 'react-router'

type PostFormProps = Omit<ComponentProps<typeof Form>, 'method'>

// A busy browser may render the pending navigation only after the second click of a double click.
let isSubmitting = false

/** After this long, the other site has probably not loaded, or the customer came back. */
const leaveLimitMs = 10_000
const stayed = 'meridian:stayed'
let leaveTimer: ReturnType<typeof setTimeout> | undefined

/** Whether a post is pending, or the browser is leaving for another site after one. */
export function useIsPosting(): boolean {
  const navigation = useNavigation()
  const [overdue, setOverdue] = useState<unknown>()
  useEffect(() => {
    if (navigation.formMethod !== 'POST') return
    const onStayed = (): void => setOverdue(navigation)
    addEventListener(stayed, onStayed)
    return () => removeEventListener(stayed, onStayed)
  }, [navigation])
  return navigation.formMethod === 'POST' && navigation !== overdue
}

/**
 * A form that posts. The server validates it, unless `noValidate` is false. It ignores a submit
 * while any form of the page is pending: a second response would replace the first, which may show
 * a secret once. `onSubmit` runs first and may prevent the submit.
 */
export function PostForm({ onSubmit, preventScrollReset, noValidate = true, ...props }: PostFormProps) {
  const submit = useSubmit()
  const isPosting = useIsPosting()
  return (
    <Form
      {...props}
      method="post"
      noValidate={noValidate}
      onSubmit={(event) => {
        onSubmit?.(event)
        if (event.defaultPrevented) return
        event.preventDefault()
        if (isSubmitting || isPosting) return
        isSubmitting = true
        clearTimeout(leaveTimer)
        const { pathname } = location
        const submitter = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null
        void submit(submitter instanceof HTMLButtonElement ? submitter : event.currentTarget, {
          preventScrollReset,
        }).finally(() => {
          isSubmitting = false
          // The router would keep the position even when the response redirects to another page.
          if (!location.hash && location.pathname !== pathname) scrollTo(0, 0)
          leaveTimer = setTimeout(() => dispatchEvent(new Event(stayed)), leaveLimitMs)
        })
      }}
    />
  )
}
