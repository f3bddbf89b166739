throw new Error('thrown as the script loads')
