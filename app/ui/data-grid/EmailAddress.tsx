/** An email address in full; a narrow column breaks it after the @. */
export function EmailAddress({ email }: { email: string }) {
  const [user = '', ...domain] = email.split('@')
  if (domain.length === 0) return email
  return (
    <>
      {`${user}@`}
      <wbr />
      {domain.join('@')}
    </>
  )
}
