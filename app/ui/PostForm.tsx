import { useRef, type ComponentProps } from 'react'
import { Form, useSubmit } from 'react-router'

type PostFormProps = Omit<ComponentProps<typeof Form>, 'method'>

/**
 * A form that posts. The server validates it, unless `noValidate` is false. It ignores a second
 * submit while the first is pending. `onSubmit` runs first and may prevent the submit.
 */
export function PostForm({ onSubmit, preventScrollReset, noValidate = true, ...props }: PostFormProps) {
  const submit = useSubmit()
  // A busy browser may render the pending navigation only after the second click of a double click.
  const isPending = useRef(false)
  return (
    <Form
      {...props}
      method="post"
      noValidate={noValidate}
      onSubmit={(event) => {
        onSubmit?.(event)
        if (event.defaultPrevented) return
        event.preventDefault()
        if (isPending.current) return
        isPending.current = true
        const submitter = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null
        void submit(submitter instanceof HTMLButtonElement ? submitter : event.currentTarget, {
          preventScrollReset,
        }).finally(() => {
          isPending.current = false
        })
      }}
    />
  )
}
