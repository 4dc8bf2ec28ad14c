// Passkeys: each form with the options of a ceremony shows itself where the browser has WebAuthn, and sends what the authenticator signed.
for (const form of document.querySelectorAll('form[data-passkey]')) {
  const { PublicKeyCredential, navigator } = globalThis;
  if (!PublicKeyCredential?.parseRequestOptionsFromJSON) continue;
  const options = JSON.parse(form.dataset.passkey);
  const [button, fault] = ['button', '.error'].map((selector) => form.querySelector(selector));
  form.hidden = false;
  button.addEventListener('click', async () => {
    fault.hidden = true;
    try {
      const made = options.rp
        ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
        : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
      form.elements.response.value = JSON.stringify(made.toJSON());
      form.submit();
    } catch {
      fault.hidden = false; // cancelled, too late, or no passkey here
    }
  });
}
