import { KeyRound } from '../../../ui/icons.tsx'
import { passwordHint } from '../password-hint.ts'
import { FormDisclosure, ProofFields, SecurityCard, SecurityField, SecurityForm } from './SecurityForm.tsx'

const intent = 'change-password'

export const PasswordCard = () => (
  <SecurityCard id="password" icon={<KeyRound />} title="Password">
    <p>Changing your password signs you out of every other browser.</p>
    <FormDisclosure intent={intent} summary="Change password">
      <SecurityForm intent={intent} kind="primary" submitLabel="Change password" pendingLabel="Changing…">
        <ProofFields intent={intent} hasPassword needsCode={false} />
        <SecurityField
          intent={intent}
          name="newPassword"
          label="New password"
          type="password"
          autoComplete="new-password"
          hint={passwordHint}
        />
      </SecurityForm>
    </FormDisclosure>
  </SecurityCard>
)
