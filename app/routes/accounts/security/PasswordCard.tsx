import { KeyRound } from '../../../ui/icons.tsx'
import { OpenedForm, SecurityCard, SecurityField, SecurityForm } from './SecurityForm.tsx'

const intent = 'change-password'

export const PasswordCard = () => (
  <SecurityCard id="password" icon={<KeyRound />} title="Password">
    <p>Changing it signs every other browser out.</p>
    <OpenedForm intent={intent} summary="Change password">
      <SecurityForm intent={intent} kind="primary" submit="Change password" sending="Changing…">
        <SecurityField
          intent={intent}
          name="currentPassword"
          label="Current password"
          type="password"
          autoComplete="current-password"
        />
        <SecurityField
          intent={intent}
          name="newPassword"
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="12 characters or more. A few words in a row are good and easy to remember."
        />
      </SecurityForm>
    </OpenedForm>
  </SecurityCard>
)
