import type { ComponentProps } from 'react'
import { Form, useNavigation, useSubmit } from 'react-router'

type PostFormProps = Omit<ComponentProps<typeof Form>, 'method'>

// A busy browser may render the pending navigation only after the second click of a double click.
let isSubmitting = false

/**
 * A form that posts. The server validates it, unless `noValidate` is false. It ignores a submit
 * while any form of the page is pending: a second response would replace the first, which may show
 * a secret once. `onSubmit` runs first and may prevent the submit.
 */
export function PostForm({ onSubmit, preventScrollReset, noValidate = true, ...props }: PostFormProps) {
  const submit = useSubmit()
  // Also pending while the browser leaves for another site.
  const isPending = useNavigation().formMethod === 'POST'
  return (
    <Form
      {...props}
      method="post"
      noValidate={noValidate}
      onSubmit={(event) => {
        onSubmit?.(event)
        if (event.defaultPrevented) return
        event.preventDefault()
        if (isSubmitting || isPending) return
        isSubmitting = true
        const submitter = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null
        void submit(submitter instanceof HTMLButtonElement ? submitter : event.currentTarget, {
          preventScrollReset,
        }).finally(() => {
          isSubmitting = false
        })
      }}
    />
  )
}
