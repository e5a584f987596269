#!/bin/sh
# A child in shell, without any other program: it takes one message per line and handles one at a time.
answer() { echo '{"type":"outcome","run":'"$run"',"outcome":"'"$1"'"'"$2"'}'; }
read -r hello
echo '{"type":"hello","protocol":1,"batch":1}'
while read -r line; do
    case $line in *'"type":"messages"'*) ;; *) continue ;; esac
    run=${line#*'"run":'} # the first field of a message
    run=${run%%,*}
    case $line in
        *'"payload":'*'"do":'*'"fail"'*) answer transient ',"error":"as asked","error_class":"example"' ;;
        *'"payload":'*'"do":'*'"terminal"'*) answer terminal ',"error":"as asked","error_class":"example"' ;;
        *'"payload":'*'"do":'*'"snooze"'*) answer snooze ',"delay_ms":1500' ;;
        *'"payload":'*'"do":'*'"record"'*)
            echo '{"type":"progress","run":'"$run"',"fraction":0.5,"text":"half"}'
            answer delivered ',"result":{"n":1}'
            ;;
        *'"payload":'*'"do":'*'"crash"'*) exit 3 ;;
        *'"payload":'*'"do":'*'"wait"'*)
            file=${line##*'"file":'}
            file=${file#*'"'}
            file=${file%%'"'*}
            touch "$file.begun"
            while [ ! -e "$file" ]; do sleep 0.02; done
            answer delivered
            ;;
        *) answer delivered ;;
    esac
done
