/**
 * Returns a message of the API with the label of the field instead of its name in the API: "grace_days
 * must be …" becomes "Days of grace must be …".
 */
export const nameField = (message: string, name: string, label: string): string =>
  message.startsWith(`${name} `)
    ? label + message.slice(name.length)
    : message.replace(` of ${name} `, ` of “${label}” `);
