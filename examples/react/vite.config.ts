import react from '@vitejs/plugin-react'
import { intab } from 'intab/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [react(), intab()], build: { target: 'es2022' } })
