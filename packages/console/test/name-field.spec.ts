import { nameField } from '../src/ui/name-field';

describe('a message about a field', () => {
  it('has the label of the field instead of its name in the API', () => {
    const message = 'grace_days must be a whole number from 0 to 60.';
    expect(nameField(message, 'grace_days', 'Days of grace')).toBe(
      'Days of grace must be a whole number from 0 to 60.',
    );
    const aboutItems = 'each item of alert_emails must be an e-mail address.';
    expect(nameField(aboutItems, 'alert_emails', 'Alert e-mails')).toBe(
      'each item of “Alert e-mails” must be an e-mail address.',
    );
  });

  it('stays as it is if it does not name the field', () => {
    expect(nameField('The name is taken.', 'name', 'Name of the company')).toBe(
      'The name is taken.',
    );
  });
});
